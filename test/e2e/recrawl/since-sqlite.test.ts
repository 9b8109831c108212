// @module-tag long
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sqliteStore } from '@harvestman/keyv'
import { afterAll } from 'vitest'

import { testSince } from './since-on.ts'

const folder = mkdtempSync(join(tmpdir(), 'since-'))
afterAll(() => rmSync(folder, { recursive: true }))

testSince((clock) => sqliteStore(join(folder, 'store.sqlite'), { clock }))
