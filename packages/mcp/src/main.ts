#!/usr/bin/env node
// `harvestman mcp` by a name that `npx` finds: options stay as they are given.
import { argv } from 'node:process'

argv.splice(2, 0, 'mcp')
await import('@harvestman/cli/main')
