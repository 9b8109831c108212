// Scripts of this machine, or of a server.
import { readFileSync } from 'node:fs'

import { check } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { scriptSchema } from '@harvestman/scripts'

import { withEngine, type EngineFlags } from './follow.ts'
import { printable } from './printable.ts'
import { exitCodes, type Shell } from './shell.ts'

export interface ScriptFlags extends EngineFlags {
  readonly json?: boolean
  readonly param?: readonly string[]
  readonly repair?: boolean
}

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ')

export async function listScripts(flags: ScriptFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ scripts }, store) => {
    const found = await scripts.list()
    for (const script of found) {
      const { name, version, origin, steps, changedAt } = script
      const line = `${name}  version ${version}, ${origin}  ${steps} steps  ${dateOf(changedAt)}\n`
      shell.out(flags.json ? `${JSON.stringify(script)}\n` : line)
    }
    if (found.length === 0 && !flags.json) shell.err(`There is no script in ${store}.\n`)
    return exitCodes.done
  })
}

export async function showScript(name: string, flags: ScriptFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ scripts }) => {
    shell.out(`${JSON.stringify((await scripts.get(name)).script, null, 2)}\n`)
    return exitCodes.done
  })
}

export async function showHistory(name: string, flags: ScriptFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ scripts }) => {
    const { versions, repairs } = await scripts.history(name)
    for (const { version, origin, steps, changedAt } of versions) {
      shell.out(`version ${version}  ${origin}  ${steps} steps  ${dateOf(changedAt)}\n`)
      for (const { step, changes } of repairs.filter((one) => one.version === version))
        shell.out(`  step ${step}: ${printable(changes.join(', '))}\n`)
    }
    return exitCodes.done
  })
}

export async function saveScript(name: string, file: string, flags: ScriptFlags, shell: Shell): Promise<number> {
  const script = check(scriptSchema, jsonIn(file))
  return withEngine(flags, shell, async ({ scripts }) => {
    const { version } = await scripts.save({ name, script })
    shell.err(`The script ${name} is at version ${version}. Run it: harvestman scripts run ${name}\n`)
    return exitCodes.done
  })
}

export async function runScript(name: string, flags: ScriptFlags, shell: Shell): Promise<number> {
  const { param = [], repair = true } = flags
  const parameters = Object.fromEntries(param.map(pairIn))
  return withEngine(flags, shell, async ({ scripts }) => {
    const run = await scripts.run(name, { parameters, repair })
    if (flags.json) shell.out(`${JSON.stringify(run)}\n`)
    else
      for (const { step, action, element = '', outcome, note } of run.steps)
        shell.out(`${step}. ${action} ${printable(element)}: ${outcome}${note ? ` (${printable(note)})` : ''}\n`)
    if (run.repairedTo !== undefined) shell.err(`It was repaired, and is at version ${run.repairedTo} now.\n`)
    return exitCodes.done
  })
}

export async function deleteScript(name: string, flags: ScriptFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ scripts }) => {
    await scripts.delete(name)
    shell.err(`The script ${name} is deleted.\n`)
    return exitCodes.done
  })
}

/** The parameter in `city=Oslo`. */
function pairIn(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new EngineError('invalid_request', `--param must be name=value, and is ${printable(text).slice(0, 100)}.`)
}

function jsonIn(file: string): unknown {
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new EngineError('invalid_request', `${printable(file)} is not JSON.`)
  }
}
