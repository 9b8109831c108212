import type { Code, CodeLanguage, CodeResult, Jail, Wire } from '@harvestman/ports'

import { boundsHere, type SandboxBound } from '../src/index.ts'

/** The machine of a test may let nobody make control groups; what is not about bounds is tested there all the same. */
export const bound: SandboxBound = boundsHere().obstacle === undefined ? 'kernel' : 'watched'

export const languages: readonly CodeLanguage[] = ['node', 'python', 'bash']

export function soon(ms = 100_000): AbortSignal {
  return AbortSignal.timeout(ms)
}

/** There is no browser to connect to. */
export async function noBrowser(): Promise<Wire> {
  throw new Error('There is no browser in this test.')
}

export function run(jail: Jail, language: Code['language'], text: string, timeout = 60_000): Promise<CodeResult> {
  return jail.run({ language, text, timeout }, soon(timeout + 90_000))
}
