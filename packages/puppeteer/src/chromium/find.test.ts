import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { findShipped } from './shipped.ts'
import { findBrowser, noBrowser } from './find.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
  vi.unstubAllEnvs()
})

/** Puts a package into the node_modules of a project, and gives its folder. */
function install(project: string, manifest = '{"name":"@sparticuz/chromium","version":"147.0.0"}'): string {
  const path = join(folder, project, 'node_modules/@sparticuz/chromium')
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'package.json'), manifest)
  return path
}

const from = (...projects: string[]): string[] => projects.map((project) => join(folder, project, 'main.js'))
const seek = (...projects: string[]) => findShipped({ from: from(...projects), cache: '/cache', canRun: true })

describe('a browser is taken from', () => {
  const shipped = { executable: '/cache/chromium', kind: 'shell', packedIn: '/package' } as const
  const all = (): boolean => true
  const none = (): boolean => false

  test('the path that was given, before anything else', () => {
    expect(findBrowser({ executablePath: '/mine' }, all, () => shipped)).toEqual({ executable: '/mine', kind: 'full' })
  })

  test('the system, before a package', () => {
    const onlyFull = (path: string): boolean => path === '/usr/bin/chromium'
    expect(findBrowser({}, onlyFull, () => shipped)).toEqual({ executable: '/usr/bin/chromium', kind: 'full' })
  })

  test('a package, when the system has none, also when a full one would be preferred', () => {
    expect(findBrowser({}, none, () => shipped)).toEqual(shipped)
    expect(findBrowser({ prefer: 'full' }, none, () => shipped)).toEqual(shipped)
  })

  test('nowhere, when there is none, and the remedies are told', () => {
    expect(findBrowser({}, none, () => undefined)).toBeUndefined()
    expect(noBrowser().message).toMatch(/apt-get install .* npm install @sparticuz\/chromium/)
  })
})

describe('the package is found', () => {
  test('in the project or above it, and its version names the place in the cache', () => {
    const packedIn = install('project')
    mkdirSync(join(folder, 'project/packages/inner'), { recursive: true })
    const expected = { executable: '/cache/chromium-147.0.0/chromium', kind: 'shell', packedIn }
    expect(seek('project')).toMatchObject(expected)
    expect(seek('project/packages/inner')).toMatchObject(expected)
  })

  test('first in the first place, then in the next', () => {
    const [project, ours] = [install('project'), install('ours')]
    expect(seek('project', 'ours')?.packedIn).toBe(project)
    expect(seek('other', 'ours')?.packedIn).toBe(ours)
  })

  test('by what it looks in without being told: the working directory', () => {
    const packedIn = install('project')
    vi.spyOn(process, 'cwd').mockReturnValue(join(folder, 'project'))
    expect(findShipped({ cache: '/cache', canRun: true })?.packedIn).toBe(packedIn)
  })

  test('not where it is missing, has no version, is no JSON, or names a folder by its version', () => {
    for (const manifest of ['{}', '{', '{"version":"../../1"}', '{"version":1}']) {
      install('project', manifest)
      expect(seek('project'), manifest).toBeUndefined()
    }
    expect(seek('other')).toBeUndefined()
  })

  test('not on a system that cannot run it', () => {
    install('project')
    expect(findShipped({ from: from('project'), canRun: false })).toBeUndefined()
  })
})

describe('its environment', () => {
  test('points out its font and its libraries, and keeps the libraries that were named before', () => {
    install('project')
    vi.stubEnv('LD_LIBRARY_PATH', undefined)
    expect(seek('project')?.env).toEqual({
      FONTCONFIG_FILE: '/cache/chromium-147.0.0/fonts.conf',
      LD_LIBRARY_PATH: '/cache/chromium-147.0.0/al2023/lib',
    })
    vi.stubEnv('LD_LIBRARY_PATH', '/opt/lib')
    expect(seek('project')?.env['LD_LIBRARY_PATH']).toBe('/cache/chromium-147.0.0/al2023/lib:/opt/lib')
  })

  test.each([
    ['/elsewhere', '/elsewhere/harvestman/chromium-147.0.0/chromium'],
    ['relative', '/home/me/.cache/harvestman/chromium-147.0.0/chromium'],
    [undefined, '/home/me/.cache/harvestman/chromium-147.0.0/chromium'],
  ])('XDG_CACHE_HOME=%s puts it into %s', (named, executable) => {
    install('project')
    vi.stubEnv('HOME', '/home/me')
    vi.stubEnv('XDG_CACHE_HOME', named)
    expect(findShipped({ from: from('project'), canRun: true })?.executable).toBe(executable)
  })
})
