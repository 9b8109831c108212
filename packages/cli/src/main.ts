#!/usr/bin/env node
import { argv } from 'node:process'

import { runCommand } from './command.ts'

await runCommand(argv.slice(2))
