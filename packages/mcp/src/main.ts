#!/usr/bin/env node
// `harvestman mcp` by a name that `npx` finds: options stay as they are given.
import { argv } from 'node:process'

import { runCommand } from '@harvestman/cli/command'

await runCommand(['mcp', ...argv.slice(2)])
