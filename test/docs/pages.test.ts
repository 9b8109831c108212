import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { pages, renew, withExamples } from '../../scripts/docs-tables.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test.each(pages)('%s has the tables and programs of today; run `npx pnpm docs:tables` when it has not', (page) => {
  const text = readFileSync(root + page, 'utf8')
  expect(withExamples(renew(text))).toBe(text)
})
