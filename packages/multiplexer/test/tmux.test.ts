import { multiplexerContract } from "./multiplexer-contract.ts";
import { startTmuxBench } from "./real-tmux.ts";

multiplexerContract(() => startTmuxBench());
