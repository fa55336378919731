// Enforces tools/layers.mjs over packages/*/src: floors, named imports, effects, single importers.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { effects, floors, mayImport, onlyFile } from "./layers.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Problems found in one source text; exported for its test. */
export function problemsIn(packageName, file, text) {
  const found = [];
  const floor = floors.findIndex((names) => names.includes(packageName));
  if (floor < 0) return [`${file}: package ${packageName} has no floor in tools/layers.mjs`];
  for (const specifier of specifiersOf(text, file)) {
    const own = /^@agent-control\/([^/]+)/.exec(specifier)?.[1];
    if (own !== undefined) {
      const otherFloor = floors.findIndex((names) => names.includes(own));
      if (own === packageName) found.push(`${file}: imports its own package by name (${specifier})`);
      else if (otherFloor < 0) found.push(`${file}: imports ${specifier}, which has no floor`);
      else if (otherFloor >= floor)
        found.push(`${file}: imports ${specifier}, which is not on a lower floor`);
      else if (!mayImport[packageName]?.includes(own)) {
        found.push(`${file}: imports ${specifier}, which tools/layers.mjs does not name for ${packageName}`);
      }
    }
    const [module, allowed] =
      Object.entries(effects).find(([name]) => specifier === name || specifier.startsWith(`${name}/`)) ?? [];
    if (module !== undefined && !allowed.includes(packageName)) {
      found.push(`${file}: imports ${specifier}; only ${allowed.join(", ") || "no package"} may`);
    }
    const [single, onlyPath] =
      Object.entries(onlyFile).find(([name]) => specifier === name || specifier.startsWith(`${name}/`)) ?? [];
    if (single !== undefined && file !== onlyPath)
      found.push(`${file}: imports ${specifier}; only ${onlyPath} may`);
  }
  return found;
}

function specifiersOf(text, file) {
  const specifiers = [];
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      specifiers.push(node.moduleSpecifier.text);
    }
    if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      ts.isStringLiteral(node.arguments[0])
    ) {
      specifiers.push(node.arguments[0].text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true));
  return specifiers;
}

function sources(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function main() {
  const problems = [];
  for (const packageName of readdirSync(join(root, "packages"))) {
    for (const path of sources(join(root, "packages", packageName, "src"))) {
      problems.push(...problemsIn(packageName, relative(root, path), readFileSync(path, "utf8")));
    }
  }
  for (const problem of problems) console.error(problem);
  console.error(
    problems.length === 0
      ? "layers: every import goes down and is named"
      : `layers: ${problems.length} problem(s)`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
