import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A use of a method of a port: "packages/x/src/y.ts" and the method's name. */
export interface PortUse {
  readonly file: string;
  readonly port: string;
  readonly method: string;
}

/**
 * What a program that starts at this file can come to run: its imports, static and dynamic, types left out. Through
 * a package's index only what is named is followed, as a bundler does.
 */
export function reachableFiles(entry: string): readonly string[] {
  const reached = new Set<string>();
  const visit = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const { specifier, names } of importsOf(file)) {
      if (specifier.startsWith(".")) visit(join(dirname(file), specifier));
      else if (specifier.startsWith("@agent-control/"))
        for (const one of exportedFrom(specifier, names)) visit(one);
    }
  };
  visit(join(root, entry));
  return [...reached].map((file) => relative(root, file)).sort();
}

/** Every use in these files of a method of one of the ports, by its type and not by its name. */
export function portUses(files: readonly string[], ports: readonly string[]): readonly PortUse[] {
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    compilerOptions(),
  );
  const checker = program.getTypeChecker();
  const uses = new Map<string, PortUse>();
  for (const file of files) {
    const visit = (node: ts.Node) => {
      for (const symbol of symbolsUsed(node, checker)) {
        const method = symbol.getName();
        const port = portOf(symbol);
        if (port && ports.includes(port)) uses.set(`${file} ${port} ${method}`, { file, port, method });
      }
      ts.forEachChild(node, visit);
    };
    const source = program.getSourceFile(join(root, file));
    if (source) visit(source);
  }
  return [...uses.values()];
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}

function symbolsUsed(node: ts.Node, checker: ts.TypeChecker): readonly ts.Symbol[] {
  if (ts.isPropertyAccessExpression(node)) {
    const symbol = checker.getSymbolAtLocation(node.name);
    return symbol ? [symbol] : [];
  }
  if (!ts.isObjectBindingPattern(node)) return [];
  const type = checker.getTypeAtLocation(node);
  return node.elements.flatMap((element) => {
    const name = (element.propertyName ?? element.name).getText();
    return type.getProperty(name) ?? [];
  });
}

/** The interface of base's ports that declares the symbol. */
function portOf({ declarations = [] }: ts.Symbol): string | undefined {
  return declarations
    .map(({ parent }) => parent)
    .filter(ts.isInterfaceDeclaration)
    .find((parent) => parent.getSourceFile().fileName.endsWith("packages/base/src/ports.ts"))?.name.text;
}

interface Import {
  readonly specifier: string;
  readonly names: readonly string[];
}

function importsOf(file: string): readonly Import[] {
  if (!file.endsWith(".ts")) return [];
  const found: Import[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) found.push(...staticImport(node));
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier && ts.isStringLiteral(specifier))
        found.push({ specifier: specifier.text, names: namesAround(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true));
  return found;
}

function staticImport(node: ts.ImportDeclaration | ts.ExportDeclaration): Import[] {
  if (!node.moduleSpecifier || !ts.isStringLiteral(node.moduleSpecifier)) return [];
  const specifier = node.moduleSpecifier.text;
  if (ts.isExportDeclaration(node)) {
    if (node.isTypeOnly) return [];
    const elements =
      node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
    return [{ specifier, names: valueNames(elements) }];
  }
  const { importClause } = node;
  if (importClause?.isTypeOnly) return [];
  const bindings = importClause?.namedBindings;
  const names = bindings && ts.isNamedImports(bindings) ? valueNames(bindings.elements) : [];
  return names.length === 0 && bindings ? [] : [{ specifier, names }];
}

function valueNames(elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[]): string[] {
  return elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ propertyName, name }) => (propertyName ?? name).text);
}

/** The names that are taken out of a dynamic import: `const { a } = await import(…)` or `(await import(…)).a`. */
function namesAround(node: ts.Node): string[] {
  let around = node.parent;
  while (ts.isAwaitExpression(around) || ts.isParenthesizedExpression(around)) around = around.parent;
  if (ts.isPropertyAccessExpression(around))
    return around.name.text === "then" ? thenNames(around) : [around.name.text];
  if (ts.isVariableDeclaration(around) && ts.isObjectBindingPattern(around.name)) {
    return around.name.elements.map((element) => (element.propertyName ?? element.name).getText());
  }
  throw new Error(`An import() whose names cannot be seen: ${around.getText().slice(0, 100)}`);
}

function thenNames({ parent }: ts.PropertyAccessExpression): string[] {
  const callback = ts.isCallExpression(parent) ? parent.arguments[0] : undefined;
  const parameter = callback && ts.isArrowFunction(callback) ? callback.parameters[0] : undefined;
  if (parameter && ts.isObjectBindingPattern(parameter.name)) {
    return parameter.name.elements.map((element) => (element.propertyName ?? element.name).getText());
  }
  // The whole module is handed on: a file of its own, never an index.
  return [];
}

/** The files behind names that a package exports. */
function exportedFrom(specifier: string, names: readonly string[]): string[] {
  const [, name = "", below = "index"] = /^@agent-control\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  const index = join(root, "packages", name, "src", `${below}.ts`);
  if (!existsSync(index)) throw new Error(`${specifier} has no ${index}`);
  if (below !== "index") return [index];
  const wanted = new Set(names);
  return importsOf(index)
    .filter((one) => one.names.some((exported) => wanted.has(exported)))
    .map((one) => join(dirname(index), one.specifier));
}
