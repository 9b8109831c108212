#!/usr/bin/env node
import { run } from './program.ts'

// The environment is read here and nowhere else.
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
})
