import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'

import { expect, test } from 'vitest'

import { generatePageScripts } from './page-scripts.ts'

const files = await generatePageScripts()

test.each(files)('$file is what the code for pages bundles to', ({ file, text }) => {
  expect(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'), 'Run node scripts/page-scripts.ts').toBe(text)
})

test.each(files)('each string of $file is one expression', async ({ file }) => {
  const [, name = ''] = file.split('/')
  const scripts: Readonly<Record<string, unknown>> = await import(`../packages/${name}/src/page-scripts.ts`)
  for (const [exported, script] of Object.entries(scripts))
    expect(() => new Script(`(${String(script)})`), exported).not.toThrow()
})
