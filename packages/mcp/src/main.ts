#!/usr/bin/env node
// Runs `harvestman mcp` under a package name for `npx`. Arguments are passed on.
import { argv } from 'node:process'

import { runCommand } from '@harvestman/cli/command'

await runCommand(['mcp', ...argv.slice(2)])
