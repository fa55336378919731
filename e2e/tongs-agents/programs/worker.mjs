// A scripted worker: raw tty, bracketed paste on, every byte it reads appended to the file given as its argument.
import { appendFileSync, writeFileSync } from "node:fs";

const [file] = process.argv.slice(2);
process.stdin.setRawMode(true);
process.stdout.write("\u001b[?2004hworker: ready\r\n");
process.stdin.on("data", (bytes) => {
  appendFileSync(file, bytes);
  if (bytes.includes(0x04)) process.exit(0); // ^D ends it.
});
writeFileSync(`${file}.ready`, String(process.pid));
