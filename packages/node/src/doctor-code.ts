import { EngineError } from '@harvestman/ports'
import type { CodeLanguage, Sandbox } from '@harvestman/ports'
import type { BoundsHere } from '@harvestman/sandbox'

import type { Config } from './settings.ts'
import type { Finding } from './finding.ts'
import { loadSandbox } from './load-sandbox.ts'

const within = 60_000
const lines: readonly (readonly [CodeLanguage, string])[] = [
  ['node', '1'],
  ['python', '1'],
  ['bash', 'true'],
]

/** Runs one line in each language in the sandbox of callers' code. Never rejects: a failure is part of the finding. */
export async function code(config: Pick<Config, 'sandbox' | 'sandboxBound'>): Promise<Finding> {
  const { sandbox: mode, sandboxBound: bound } = config
  const name = 'code'
  if (mode === 'off') {
    return {
      name,
      state: 'missing',
      message: 'off',
      fix: 'Set HARVESTMAN_SANDBOX=bubblewrap to run code in a sandbox.',
    }
  }
  let sandbox: Sandbox | undefined
  try {
    const { boundsHere, localSandbox } = await loadSandbox()
    sandbox = localSandbox({ mode, bound })
    const signal = AbortSignal.timeout(within)
    const jail = await sandbox.open({ connect: noBrowser }, signal)
    const found = []
    for (const [language, text] of lines) {
      const { exitCode } = await jail.run({ language, text, timeout: 20_000 }, signal)
      if (exitCode === 0) found.push(language)
    }
    return { name, ...fenceOf(config, found.join(', ') || 'no language', boundsHere()) }
  } catch (error) {
    return { name, state: 'missing', ...causeOf(error) }
  } finally {
    await sandbox?.close()
  }
}

/** Describes the isolation of the sandbox, and how an operator can improve it. */
function fenceOf(
  { sandbox: mode, sandboxBound: bound }: Pick<Config, 'sandbox' | 'sandboxBound'>,
  languages: string,
  { controllers, version, obstacle }: BoundsHere,
): Omit<Finding, 'name'> {
  if (mode === 'unsafe-process') {
    return {
      state: 'missing',
      message: `${languages}, without a sandbox`,
      fix: 'Set HARVESTMAN_SANDBOX=bubblewrap, unless you trust every caller.',
    }
  }
  if (bound === 'kernel') {
    return {
      state: 'good',
      message: `${languages}, in a sandbox; the kernel limits its ${controllers.join(', ')} (control groups v${version})`,
    }
  }
  return {
    state: 'missing',
    message: `${languages}, in a sandbox that measures its own memory, which is not exact`,
    fix: obstacle === undefined ? 'Set HARVESTMAN_SANDBOX_BOUND=kernel: the kernel supports it.' : obstacle,
  }
}

async function noBrowser(): Promise<never> {
  throw new Error('There is no browser here.')
}

function causeOf(error: unknown): Pick<Finding, 'message' | 'fix'> {
  if (!EngineError.is(error))
    return { message: 'refused: the sandbox did not respond in time', fix: 'Try again when this host is less busy.' }
  const { remedy } = error.details ?? {}
  return typeof remedy === 'string'
    ? { message: 'refused: the sandbox cannot be started', fix: remedy }
    : { message: `refused: ${error.message}`, fix: 'Fix that, or set HARVESTMAN_SANDBOX=off.' }
}
