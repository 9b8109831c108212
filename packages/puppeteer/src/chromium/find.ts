import { accessSync, constants } from 'node:fs'

import { EngineError } from '@harvestman/ports'

import { findShipped, shippedIn } from './shipped.ts'

/** A browser that can be started. */
export interface Found {
  readonly executable: string
  /** The headless shell renders pages without window management, at about a quarter of the cost. */
  readonly kind: 'shell' | 'full'
  /** Additional environment variables for the browser. */
  readonly env?: Readonly<Record<string, string>>
  /** Folder of the npm package from which the browser is unpacked before its first start. */
  readonly packedIn?: string
}

// Binaries come before the scripts that start them: a script is another process, and adds flags.
const shells = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/lib64/chromium-browser/headless_shell',
  '/usr/lib/chromium-browser/headless_shell',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chrome-headless-shell',
  '/opt/chrome-headless-shell/chrome-headless-shell',
  '/headless-shell/headless-shell',
]

const browsers = [
  '/usr/lib/chromium/chromium',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/usr/lib/chromium-browser/chromium-browser',
  '/opt/google/chrome/chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/opt/microsoft/msedge/msedge',
  '/opt/brave.com/brave/brave',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe',
  '/snap/bin/chromium',
]

/** Options for the search. */
export interface Wish {
  /** Path of the executable. If set, nothing else is checked. */
  readonly executablePath?: string | undefined
  /** `full` if the whole browser is needed, including windows. */
  readonly prefer?: 'shell' | 'full' | undefined
}

/**
 * Finds a browser installed on this host or else in an npm package, without starting or unpacking it. Prefers the headless
 * shell unless `prefer` is `full`, but returns the other kind rather than none. Returns `undefined` if there is none. A
 * configured `executablePath` is returned without checking that it exists.
 */
export function findBrowser(
  { executablePath, prefer = 'shell' }: Wish = {},
  isThere = isProgram,
  shipped: () => Found | undefined = findShipped,
): Found | undefined {
  if (executablePath !== undefined) {
    return { executable: executablePath, kind: kindOf(executablePath) }
  }
  const order = prefer === 'shell' ? [...shells, ...browsers] : [...browsers, ...shells]
  const executable = order.find(isThere)
  return executable === undefined ? shipped() : { executable, kind: kindOf(executable) }
}

/** Creates the `not_configured` error for a host without a browser, with the remedy. */
export function noBrowser(): EngineError {
  return new EngineError(
    'not_configured',
    `No Chromium was found on this machine. Install one (apt-get install chromium-headless-shell, or chromium; on Linux for x64 also npm install ${shippedIn}), or give the path or the endpoint of another.`,
    { details: { port: 'browser' } },
  )
}

function kindOf(executable: string): Found['kind'] {
  return /headless[-_]shell/.test(executable) ? 'shell' : 'full'
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
