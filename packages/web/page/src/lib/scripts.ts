import { call } from './api.ts'

export interface Parameter {
  readonly type: 'text' | 'list'
  readonly secret?: boolean
  readonly origin?: string
}

export type Parameters = Readonly<Record<string, Parameter>>

export interface ScriptVersion {
  readonly name: string
  readonly version: number
  readonly origin: 'recorded' | 'edited' | 'repaired'
  readonly changedAt: number
  readonly start: string
  readonly parameters: Parameters
  readonly steps: number
}

interface Target {
  readonly role: string
  readonly name: string
  readonly label?: string
  readonly text?: string
  readonly attributes: Readonly<Record<string, string>>
  readonly before?: string
  readonly after?: string
  readonly row?: readonly string[]
  readonly path?: string
}

interface Expects {
  readonly address?: string
  readonly state?: Readonly<Record<string, string | boolean>>
  readonly gone?: true
  readonly shows?: readonly string[]
  readonly controls?: readonly string[]
  readonly opens?: readonly { readonly tab: string; readonly address?: string }[]
  readonly closes?: readonly string[]
}

export interface Step {
  readonly action: 'click' | 'fill' | 'select' | 'press' | 'goto'
  readonly tab?: string
  readonly target?: Target
  readonly value?: string | readonly string[]
  readonly each?: string
  readonly block?: number
  readonly until?: string
  readonly expects: Expects
}

export interface Script {
  readonly start: string
  readonly parameters: Parameters
  readonly steps: readonly Step[]
}

export interface KeptScript extends Omit<ScriptVersion, 'steps' | 'start' | 'parameters'> {
  readonly script: Script
}

export interface History {
  readonly versions: readonly ScriptVersion[]
  readonly repairs: readonly {
    readonly step: number
    readonly changes: readonly string[]
    readonly at: number
    readonly version: number
  }[]
}

export interface Run {
  readonly version: number
  readonly repairedTo?: number
  readonly url: string
  readonly steps: readonly {
    readonly step: number
    readonly action: string
    readonly outcome: 'done' | 'already' | 'repaired'
    readonly element?: string
    readonly note?: string
  }[]
}

export type Values = Readonly<Record<string, string | readonly string[]>>

const at = (name: string): string => `v2/scripts/${encodeURIComponent(name)}`

export async function listScripts(signal: AbortSignal): Promise<readonly ScriptVersion[]> {
  return (await call<{ data: readonly ScriptVersion[] }>('v2/scripts', { signal })).data
}

/** Returns a script with its history. */
export async function readScript(name: string, signal: AbortSignal): Promise<{ kept: KeptScript; history: History }> {
  const [kept, history] = await Promise.all([
    call<{ data: KeptScript }>(at(name), { signal }),
    call<{ data: History }>(`${at(name)}/history`, { signal }),
  ])
  return { kept: kept.data, history: history.data }
}

export async function runScript(name: string, parameters: Values): Promise<Run> {
  return (await call<{ data: Run }>(`${at(name)}/run`, { method: 'POST', body: { parameters } })).data
}

export async function deleteScript(name: string): Promise<void> {
  await call(at(name), { method: 'DELETE' })
}

export async function beginRecording(session: string): Promise<void> {
  await call('v2/scripts/record', { method: 'POST', body: { session } })
}

export async function saveRecording(name: string, session: string, parameters: Values): Promise<void> {
  await call('v2/scripts', { method: 'POST', body: { name, session, parameters } })
}

const quoted = (text: string): string => JSON.stringify(text)

/** Describes a step in a sentence. */
export function stepInWords({ action, target, value }: Step): string {
  const element = target ? elementInWords(target) : ''
  const text = (typeof value === 'string' ? [value] : (value ?? [])).map(quoted).join(', ')
  if (action === 'goto') return `Open ${typeof value === 'string' ? value : ''}`
  if (action === 'fill') return `Fill ${element} with ${text}`
  if (action === 'select') return `Select ${text} in ${element}`
  return action === 'press' ? `Press ${typeof value === 'string' ? value : ''} in ${element}` : `Click ${element}`
}

function elementInWords({ role, name, label, before }: Target): string {
  const what = role === 'generic' ? 'the element' : `the ${role}`
  const said = name || label
  if (said) return `${what} ${quoted(said)}`
  return before ? `${what} after ${quoted(before)}` : what
}

/** Describes the repetition of a step; `undefined` if it runs once. */
export function repeatsInWords({ each, block = 1, until }: Step): string | undefined {
  if (until !== undefined) return `again and again until the page shows ${quoted(until)}`
  if (each === undefined) return undefined
  return block === 1 ? `for each of ${each}` : `with the ${block - 1} after it, for each of ${each}`
}

/** Describes the locators of a step's element, one sentence each. */
export function waysOf({ tab, target }: Step): readonly string[] {
  if (!target) return []
  const { role, name, label, text, attributes, before, after, row, path } = target
  const ways = [
    tab !== undefined && `It is in the tab ${quoted(tab)}.`,
    name ? `It is a ${role} named ${quoted(name)}.` : `It is a ${role} without a name.`,
    label && `Its label is ${quoted(label)}.`,
    text && `It says ${quoted(text)}.`,
    ...Object.entries(attributes).map(([key, value]) => `Its ${key} is ${quoted(value)}.`),
    before && `${quoted(before)} stands before it.`,
    after && `${quoted(after)} stands after it.`,
    row && row.length > 0 && `Its row says ${row.map(quoted).join(', ')}.`,
    path && `Its path is ${path}.`,
  ]
  return ways.filter((way): way is string => typeof way === 'string' && way !== '')
}

/** Describes the expected outcomes of a step, one sentence each. */
export function outcomesOf({
  expects: { address, state = {}, gone, shows = [], controls = [], opens = [], closes = [] },
}: Step): readonly string[] {
  return [
    ...(address === undefined ? [] : [`The page is ${address}.`]),
    ...Object.entries(state).map(([key, value]) =>
      typeof value === 'string' ? `Its ${key} is ${quoted(value)}.` : `It is ${value ? '' : 'not '}${key}.`,
    ),
    ...(gone ? ['The element is gone.'] : []),
    ...shows.map((text) => `The page shows ${quoted(text)}.`),
    ...controls.map((control) => `There is a ${control}.`),
    ...opens.map(({ tab, address: at }) => `The tab ${quoted(tab)} opens${at === undefined ? '' : ` at ${at}`}.`),
    ...closes.map((tab) => `The tab ${quoted(tab)} is closed.`),
  ]
}
