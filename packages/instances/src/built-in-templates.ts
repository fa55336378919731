import type { TemplateDefinition } from "@agent-control/policy";

/** The templates that come with isx; `baseImage` replaces the image below them. */
export function builtInTemplates(baseImage: string | undefined): readonly TemplateDefinition[] {
  return [
    {
      name: "tpl-minimal",
      description: "A bare Debian with git, curl and sudo",
      image: baseImage ?? "images:debian/12",
      packages: ["ca-certificates", "curl", "git", "iproute2", "less", "libnss-myhostname", "procps", "sudo"],
    },
    {
      name: "tpl-dev",
      description: "Compilers and the usual tools of a developer",
      parent: "tpl-minimal",
      packages: [
        "build-essential",
        "file",
        "jq",
        "openssh-client",
        "patch",
        "pkg-config",
        "python3",
        "python3-venv",
        "ripgrep",
        "unzip",
        "xz-utils",
        "zip",
      ],
    },
    {
      name: "tpl-agent",
      description: "Everything of tpl-dev and coding agents to hand tasks to",
      parent: "tpl-dev",
      tools: ["claude", "codex", "opencode"],
      defaultAction: "claude",
    },
  ];
}
