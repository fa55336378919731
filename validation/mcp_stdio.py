#!/usr/bin/env python3
"""Starts the tongs-agents MCP server over stdio twice, in temporary state and config directories.

With control off it must list exactly the five fleet_* tools; with control on exactly nine, and it must refuse
(exit code 5) and audit an agents_send from outside a launched pane. Starts no agent and no multiplexer.

Usage, from the repository's root after a build: python validation/mcp_stdio.py
Needs Python 3.8 or newer and its standard library only, and `node` on the PATH. Exits 0 when all of it holds.
"""

import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

PROGRAM = os.path.join("packages", "tongs-agents", "dist", "bin.js")
FLEET = {
    "fleet_status",
    "fleet_session",
    "fleet_sessions_needing_attention",
    "fleet_focus",
    "fleet_cleanup",
}
CONTROL = {"agents_spawn", "agents_send", "agents_status", "agents_wait"}
PATIENCE_S = 10


class Server:
    """The program as a child process, spoken to in JSON-RPC lines."""

    def __init__(self, environment):
        self.child = subprocess.Popen(
            ["node", PROGRAM, "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
            encoding="utf-8",
        )
        self.answers = queue.Queue()
        self.last_id = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self.answers.put(line)
        self.answers.put(None)

    def write(self, message):
        self.child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.child.stdin.flush()

    def ask(self, method, params):
        self.last_id += 1
        self.write({"id": self.last_id, "method": method, "params": params})
        while True:
            try:
                line = self.answers.get(timeout=PATIENCE_S)
            except queue.Empty:
                raise SystemExit(f"FAILED: no answer to {method} within {PATIENCE_S} s")
            if line is None:
                raise SystemExit(f"FAILED: the server ended before it answered {method}")
            answer = json.loads(line)
            if answer.get("id") == self.last_id:
                require("error" not in answer, f"{method} answered {answer.get('error')}")
                return answer["result"]

    def open(self):
        opened = self.ask(
            "initialize",
            {
                "protocolVersion": "2024-11-05",
                "capabilities": {},
                "clientInfo": {"name": "mcp_stdio.py", "version": "1"},
            },
        )
        require(opened["serverInfo"]["name"] == "tongs-agents", "the server is not called tongs-agents")
        self.write({"method": "notifications/initialized"})

    def tool_names(self):
        return [tool["name"] for tool in self.ask("tools/list", {})["tools"]]

    def close(self):
        self.child.stdin.close()
        code = self.child.wait(timeout=PATIENCE_S)
        require(code == 0, f"the server exited with {code} at end of input")


def require(holds, sentence):
    if not holds:
        raise SystemExit(f"FAILED: {sentence}")


def environment_in(root):
    """An environment in which the program finds nothing of this user's."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    directories = {
        "HOME": "home",
        "XDG_CONFIG_HOME": "config",
        "XDG_STATE_HOME": "state",
        "XDG_RUNTIME_DIR": "runtime",
        "TMPDIR": "tmp",
    }
    for directory in directories.values():
        os.makedirs(os.path.join(root, directory), mode=0o700)
    return {**kept, **{name: os.path.join(root, directory) for name, directory in directories.items()}}


def write_config(root, enabled):
    directory = os.path.join(root, "config", "tongs-agents")
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "config.toml"), "w", encoding="utf-8") as file:
        file.write(f"[control]\nmcp_enabled = {'true' if enabled else 'false'}\n")


def audit_lines(root):
    path = os.path.join(root, "state", "tongs-agents", "audit", "control.jsonl")
    if not os.path.exists(path):
        return []
    require(os.stat(path).st_mode & 0o777 == 0o600, "the audit log is not 0600")
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def check_control_off(root, environment):
    write_config(root, False)
    server = Server(environment)
    server.open()
    names = server.tool_names()
    require(len(names) == 5 and set(names) == FLEET, f"with control off it lists {names}")
    server.close()
    print("control off: exactly the five fleet_* tools")


def check_control_on(root, environment):
    write_config(root, True)
    server = Server(environment)
    server.open()
    names = server.tool_names()
    require(len(names) == 9 and set(names) == FLEET | CONTROL, f"with control on it lists {names}")
    text = "a text that must not be logged"
    arguments = {"launch_id": "a" * 26, "text": text}
    result = server.ask("tools/call", {"name": "agents_send", "arguments": arguments})
    reply = json.loads(result["content"][0]["text"])
    require(result.get("isError") is True, "the agents_send from outside was not an error")
    require(reply["ok"] is False and reply["outcome"] == "refused", f"the reply is {reply}")
    require(reply["exit_code"] == 5, f"the exit code is {reply['exit_code']}")
    server.close()
    lines = audit_lines(root)
    require(len(lines) == 1, f"the audit log has {len(lines)} lines")
    line = lines[0]
    require(line["actor"] == "mcp" and line["action"] == "send", f"the audit line is {line}")
    require(line["outcome"] == "refused" and line["exit_code"] == 5, f"the audit line is {line}")
    require(text not in json.dumps(line), "the audit line has the text")
    print("control on: exactly nine tools; agents_send from outside refused (5) and audited")


def main():
    require(os.path.exists(PROGRAM), f"{PROGRAM} is missing: build first (npm start or pnpm build)")
    require(shutil.which("node") is not None, "node is not on the PATH")
    with tempfile.TemporaryDirectory(prefix="tongs-agents-validation-") as root:
        environment = environment_in(root)
        check_control_off(root, environment)
        check_control_on(root, environment)
    print("passed")


if __name__ == "__main__":
    sys.exit(main())
