import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { file as featuresFile, makeFeatures } from '../../scripts/client-features.ts'
import { file, makeTypes, printer, type JsonSchema } from '../../scripts/client-types.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test.each([
  ['types', file, makeTypes],
  ['features', featuresFile, makeFeatures],
])(
  'the %s of the client are those of the schemas; run `npx pnpm docs:tables` when they are not',
  (_, written, make) => {
    const folder = mkdtempSync(join(root, 'packages/client/.types-'))
    try {
      const made = join(folder, 'types.ts')
      writeFileSync(made, make())
      execFileSync(join(root, 'node_modules/.bin/oxfmt'), [made])
      expect(readFileSync(written, 'utf8')).toBe(readFileSync(made, 'utf8'))
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

test.each<[JsonSchema, string]>([
  [{ type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } }, 'readonly [string, ...(number)[]]'],
  [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, 'readonly [string]'],
  [{ type: 'array', items: { type: 'number' } }, 'readonly (number)[]'],
  [{ type: 'array' }, 'readonly unknown[]'],
])('the type of the array %j is %s', (schema, type) => {
  expect(printer(new Map(), { paths: {}, components: { schemas: {} } }).print(schema)).toBe(type)
})
