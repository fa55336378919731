// Joins its stdio to the unix socket given as its argument, so that a client which only spawns programs can talk to
// a server that runs elsewhere.
import { connect } from "node:net";

const connection = connect(process.argv[2]);
process.stdin.pipe(connection).pipe(process.stdout);
