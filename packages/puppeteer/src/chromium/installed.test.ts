import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { platformHere } from '@harvestman/net/headers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { brandOf } from '../lib/product.ts'
import { knownIdentity } from './installed.ts'

describe.skipIf(process.platform === 'win32')('the identity of a browser that is not running', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'installed-'))
    vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'))
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  const install = (script: string): string => {
    const executablePath = join(folder, 'google-chrome')
    writeFileSync(executablePath, `#!/bin/sh\necho x >> '${join(folder, 'started')}'\n${script}\n`)
    chmodSync(executablePath, 0o755)
    return executablePath
  }

  test('has the version that the executable reports', async () => {
    const executablePath = install('echo Google Chrome 151.0.1.2')
    expect(await knownIdentity({ executablePath }).read()).toEqual({
      version: 151,
      brand: 'Google Chrome',
      platform: platformHere(),
    })
  })

  test('is remembered until the executable changes', async () => {
    const executablePath = install('echo Google Chrome 151.0.1.2')
    await knownIdentity({ executablePath }).read()
    writeFileSync(join(folder, 'started'), '')
    expect(await knownIdentity({ executablePath }).read()).toMatchObject({ version: 151 })
    expect(readFileSync(join(folder, 'started'), 'utf8')).toBe('')
    install('echo Google Chrome 152.0.1.2 # newer')
    expect(await knownIdentity({ executablePath }).read()).toMatchObject({ version: 152 })
  })

  test.each([
    ['fails', 'exit 1'],
    ['prints something else', 'echo hello'],
  ])('is unknown if the executable %s', async (_what, script) => {
    expect(await knownIdentity({ executablePath: install(script) }).read()).toBeUndefined()
  })

  test('is unknown if there is no such file, or if the browser is remote', async () => {
    expect(await knownIdentity({ executablePath: join(folder, 'nothing') }).read()).toBeUndefined()
    expect(await knownIdentity({ endpoint: 'ws://127.0.0.1:1' }).read()).toBeUndefined()
  })

  test('gives way to that of the browser that runs', async () => {
    const known = knownIdentity({ executablePath: install('echo Google Chrome 151.0.1.2') })
    await known.read()
    const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) HeadlessChrome/153.0.1.2'
    known.learn({ kind: 'remote', product: 'HeadlessChrome/153.0.1.2', userAgent, brand: undefined })
    expect(await known.read()).toEqual({ version: 153, brand: undefined, platform: 'Windows' })
  })
})

test.each([
  ['/opt/google/chrome/chrome', 'Google Chrome'],
  ['/usr/bin/google-chrome-stable', 'Google Chrome'],
  ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', 'Google Chrome'],
  ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', 'Google Chrome'],
  ['/opt/microsoft/msedge/msedge', 'Microsoft Edge'],
  ['/opt/brave.com/brave/brave', 'Brave'],
  ['/usr/lib/chromium/chromium', undefined],
  ['/usr/bin/chromium-headless-shell', undefined],
])('%s is the product %s', (executable, brand) => {
  expect(brandOf(executable)).toBe(brand)
})
