import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { keepCompiled } from './compiled.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-compiled-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('The folder of compiled sources is made, and handed on to what is started', () => {
  const env: NodeJS.ProcessEnv = { XDG_CACHE_HOME: folder }
  keepCompiled(env)
  // A run of tests may have one already; then Node stays with that.
  expect(env['NODE_COMPILE_CACHE']).toBeDefined()
  expect(readdirSync(folder)).toEqual(['harvestman'])
})

test.each(['/proc', '/dev/null', join(folder, 'file')])('Where none can be made (%s) nothing is kept', (place) => {
  writeFileSync(join(folder, 'file'), '')
  const env: NodeJS.ProcessEnv = { XDG_CACHE_HOME: place }
  keepCompiled(env)
  expect(env['NODE_COMPILE_CACHE']).toBeUndefined()
})

test('A folder that the environment names is left as it is', () => {
  const env: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: '/elsewhere', XDG_CACHE_HOME: folder }
  keepCompiled(env)
  expect(env).toEqual({ NODE_COMPILE_CACHE: '/elsewhere', XDG_CACHE_HOME: folder })
})
