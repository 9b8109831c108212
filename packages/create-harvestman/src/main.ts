#!/usr/bin/env node
import { stdin, stdout, stderr, argv, env } from 'node:process'
import { createInterface } from 'node:readline/promises'

import { run } from './command.ts'

const isTerminal = stdin.isTTY && stdout.isTTY
const lines = isTerminal ? createInterface({ input: stdin, output: stdout }) : undefined
const [manager = 'npm'] = (env['npm_config_user_agent'] ?? '').split('/')

process.exitCode = await run(argv.slice(2), {
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
  ask: lines && ((question) => lines.question(question)),
  manager: manager === '' ? 'npm' : manager,
})
lines?.close()
