import { EngineError } from '@harvestman/core'
import type { CodeLanguage } from '@harvestman/core/ports'
import { localSandbox } from '@harvestman/sandbox'

import type { Config } from './config.ts'
import type { Finding } from './finding.ts'

const within = 60_000
const lines: readonly (readonly [CodeLanguage, string])[] = [
  ['node', '1'],
  ['python', '1'],
  ['bash', 'true'],
]

/** Runs a line in each language where the code of callers would run. */
export async function code({ sandbox: mode }: Pick<Config, 'sandbox'>): Promise<Finding> {
  const name = 'code'
  if (mode === 'off') {
    return {
      name,
      state: 'missing',
      says: 'off: the code of callers is refused',
      fix: 'Set HARVESTMAN_SANDBOX=bubblewrap to run it in a jail.',
    }
  }
  const sandbox = localSandbox({ mode })
  try {
    const signal = AbortSignal.timeout(within)
    const jail = await sandbox.open({ connect: noBrowser }, signal)
    const found = []
    for (const [language, text] of lines) {
      const { exitCode } = await jail.run({ language, text, timeout: 20_000 }, signal)
      if (exitCode === 0) found.push(language)
    }
    const says = `${found.join(', ') || 'no language'}, ${mode === 'unsafe-process' ? 'without any fence' : 'in a jail'}`
    if (mode !== 'unsafe-process') return { name, state: 'good', says }
    return {
      name,
      state: 'missing',
      says,
      fix: 'Set HARVESTMAN_SANDBOX=bubblewrap, unless you trust each caller as yourself.',
    }
  } catch (error) {
    return { name, state: 'missing', ...causeOf(error) }
  } finally {
    await sandbox.close()
  }
}

async function noBrowser(): Promise<never> {
  throw new Error('There is no browser here.')
}

function causeOf(error: unknown): Pick<Finding, 'says' | 'fix'> {
  if (!EngineError.is(error))
    return { says: 'refused: the jail did not answer in time', fix: 'Try again when less runs here.' }
  const { remedy } = error.details ?? {}
  return typeof remedy === 'string'
    ? { says: 'refused: the jail for it cannot be started', fix: remedy }
    : { says: `refused: ${error.message}`, fix: 'Mend that, or set HARVESTMAN_SANDBOX=off.' }
}
