import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { launch } from './launch.ts'
import { findShipped, type Shipped } from './shipped.ts'
import { unpack } from './unpack.ts'

let folder: string
let cache: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unpack & more-'))
  cache = join(folder, 'cache')
})
afterEach(() => rmSync(folder, { recursive: true }))

const never = new AbortController().signal
const place = (): string => join(cache, 'chromium-1.0.0')
const cached = (): string[] => readdirSync(cache)

// As the real one: what it unpacks goes to the folder for temporary files, its libraries only on one service. Its browser
// is a script that writes down how it was started and ends.
const whole = `
  const at = (name) => join(tmpdir(), name)
  appendFileSync(process.env.RUNS, 'run\\n')
  mkdirSync(at('fonts'))
  if (process.env.AWS_LAMBDA_JS_RUNTIME?.includes('24.x')) mkdirSync(at('al2023/lib'), { recursive: true })
  writeFileSync(at('chromium'), '#!/bin/sh\\nprintf "%s\\\\n%s\\\\n" "$FONTCONFIG_FILE" "$LD_LIBRARY_PATH" > "$RUNS.env"\\nprintf "%s\\\\n" "$@" >> "$RUNS.env"\\nexit 1\\n', { mode: 0o700 })
  return at('chromium')`

const runs = (): string => join(folder, 'runs')
const timesRun = (): number => readFileSync(runs(), 'utf8').split('\n').length - 1

function install(body: string): Shipped {
  const path = join(folder, 'project/node_modules/@sparticuz/chromium')
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'package.json'), '{"version":"1.0.0","type":"module","exports":{".":{"import":"./it.js"}}}')
  const given = `process.env.RUNS = ${JSON.stringify(runs())}`
  const imports = `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'; import { tmpdir } from 'node:os'; import { join } from 'node:path'`
  const source = `${imports}\n${given}\nexport default { async executablePath() { ${body} } }`
  writeFileSync(join(path, 'it.js'), source)
  return findShipped({ from: [join(folder, 'project/main.js')], cache, canRun: true })!
}

describe('unpacking', () => {
  test('gives a browser with its libraries, its font and a word on where the font is, and leaves nothing else', async () => {
    await unpack(install(whole), never)
    expect(cached()).toEqual(['chromium-1.0.0'])
    expect(readdirSync(place()).toSorted()).toEqual(['al2023', 'chromium', 'fonts', 'fonts.conf'])
    const told = readFileSync(join(place(), 'fonts.conf'), 'utf8')
    expect(told).toContain(`<dir>${place().replace('&', '&amp;')}/fonts</dir>`)
  })

  test('happens once', async () => {
    const shipped = install(whole)
    await unpack(shipped, never)
    await unpack(shipped, never)
    expect(timesRun()).toBe(1)
  })

  test('by several at once ends with one cache, which all of them can use', async () => {
    const shipped = install(whole)
    const ready = (): number => statSync(shipped.executable).ino
    const seen = await Promise.all([1, 2, 3].map(() => unpack(shipped, never).then(ready)))
    expect(new Set(seen)).toEqual(new Set([ready()]))
    expect(timesRun()).toBe(3)
    expect(cached()).toEqual(['chromium-1.0.0'])
  })

  test('mends a cache that was cleaned up in part', async () => {
    const shipped = install(whole)
    await unpack(shipped, never)
    rmSync(join(place(), 'al2023'), { recursive: true })
    await unpack(shipped, never)
    expect(existsSync(join(place(), 'al2023/lib'))).toBe(true)
    expect(cached()).toEqual(['chromium-1.0.0'])
  })

  test('clears away what was left by one that was killed long ago, and not what another is making', async () => {
    const [old, fresh] = [join(cache, 'unpacking-old'), join(cache, 'unpacking-fresh')]
    for (const path of [old, fresh]) mkdirSync(path, { recursive: true })
    utimesSync(old, 0, 0)
    await unpack(install(whole), never)
    expect(cached().toSorted()).toEqual(['chromium-1.0.0', 'unpacking-fresh'])
  })
})

describe('a package that', () => {
  const cases: Readonly<Record<string, readonly [body: string, why: RegExp]>> = {
    fails: [`throw new Error('The archive is damaged.')`, /: Error: The archive is damaged\. Install/],
    'ends without a word': ['process.exit(7)', /: it ended with code 7\. Install/],
    'waits for nothing': ['await new Promise(() => {})', /: it ended with code 13\. Install/],
    'unpacks no libraries': [
      `delete process.env.AWS_LAMBDA_JS_RUNTIME; ${whole}`,
      /: it holds no browser, or not the lib/,
    ],
  }
  for (const [name, [body, why]] of Object.entries(cases)) {
    test(`${name} is told in one error that says why and what to do`, async () => {
      const error = await unpack(install(body), never).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'browser_failed', message: expect.stringMatching(why) })
      expect(error).toMatchObject({ message: expect.stringMatching(/XDG_CACHE_HOME.*apt-get install/) })
      expect(cached()).toEqual([])
    })
  }

  test('is gone by then, or cannot be unpacked where it should be, is told in the same way', async () => {
    const shipped = install(whole)
    const failed = { code: 'browser_failed', message: expect.stringContaining('could not be unpacked into') }
    writeFileSync(cache, 'a file')
    await expect(unpack(shipped, never)).rejects.toMatchObject(failed)
    rmSync(cache)
    rmSync(join(folder, 'project'), { recursive: true })
    await expect(unpack(shipped, never)).rejects.toMatchObject(failed)
  })

  const hangs = `appendFileSync(process.env.RUNS, String(process.pid)); await new Promise((r) => setInterval(r, 1e9))`

  test('hangs is ended at the deadline', async () => {
    const error = await unpack(install(hangs), never, { within: 100 }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'browser_failed',
      message: expect.stringContaining(': it took too long. Install'),
    })
    expect(cached()).toEqual([])
  })

  test('hangs is ended when it is not wanted any more, with the reason', async () => {
    const giveUp = new AbortController()
    const unpacking = unpack(install(hangs), giveUp.signal)
    unpacking.catch(() => undefined)
    while (!existsSync(runs()) || readFileSync(runs(), 'utf8') === '') await new Promise((r) => setTimeout(r, 5))
    giveUp.abort(new Error('no longer'))
    await expect(unpacking).rejects.toThrow('no longer')
    expect(() => process.kill(Number(readFileSync(runs(), 'utf8')), 0)).toThrow('ESRCH')
    expect(cached()).toEqual([])
  })
})

test('a launch unpacks the browser first, and hands it its font and libraries and no flag of the package', async () => {
  const shipped = install(whole)
  process.env['RUNS'] = runs()
  try {
    const options = {
      ...shipped,
      proxy: 'http://127.0.0.1:1',
      pictures: true,
      confinement: { sandbox: true, user: undefined },
      pageMemory: 1e9,
      nice: 0,
      hiddenWait: false,
    }
    await expect(launch(options, never)).rejects.toMatchObject({ code: 'browser_failed' })
  } finally {
    delete process.env['RUNS']
  }
  const [fonts, libraries, first, ...flags] = readFileSync(`${runs()}.env`, 'utf8').split('\n')
  expect([fonts, libraries, first]).toEqual([
    shipped.env['FONTCONFIG_FILE'],
    shipped.env['LD_LIBRARY_PATH'],
    '--headless',
  ])
  expect(flags).toContain('--proxy-server=http://127.0.0.1:1')
  for (const flag of ['--no-sandbox', '--disable-web-security', '--single-process']) expect(flags).not.toContain(flag)
})
