import { examine, type Finding } from '@harvestman/node'

import { onDisk, sources } from './settings.ts'
import { exitCodes, type Shell } from './shell.ts'

const marks: Readonly<Record<Finding['state'], string>> = { good: '✓', missing: '–', broken: '✗' }

/**
 * Prints which features work on this host. Resolves to exit code 1 if something is broken, otherwise to 0. Rejects if the
 * config file cannot be read.
 */
export async function doctor(
  flags: { readonly json?: boolean; readonly config?: string; readonly set?: readonly string[] },
  shell: Shell,
): Promise<number> {
  const findings = await examine(sources(flags.config, { set: flags.set }, shell), onDisk)
  shell.out(flags.json ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(line).join(''))
  return findings.some(({ state }) => state === 'broken') ? exitCodes.fault : exitCodes.done
}

function line({ name, state, message, fix }: Finding): string {
  const remedy = fix ? `\n  ${' '.repeat(14)} → ${fix}` : ''
  return `${marks[state]} ${name.padEnd(14)}  ${message}${remedy}\n`
}
