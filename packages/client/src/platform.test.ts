import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('.', import.meta.url))

test('nothing is imported but files of this package, so that it runs on every platform', () => {
  const files = globSync('*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'))
  expect(files).toContain('client.ts')
  for (const file of files) {
    const text = readFileSync(folder + file, 'utf8')
    const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, specifier]) => specifier)
    expect(imports.filter((specifier) => !specifier?.startsWith('./'))).toEqual([])
    expect(text).not.toMatch(/\b(?:process|Buffer|require)\b[.(]/)
  }
})
