import type { KeptScript, Script, ScriptHistory } from '@harvestman/client'

import { client } from './api.ts'

export type Step = Script['steps'][number]
type Target = NonNullable<Step['target']>

/** Loads a script and its history. Rejects if it does not exist. */
export async function readScript(
  name: string,
  signal: AbortSignal,
): Promise<{ readonly kept: KeptScript; readonly history: ScriptHistory }> {
  const [kept, history] = await Promise.all([
    client.scripts.get(name, {}, { signal }),
    client.scripts.history(name, { signal }),
  ])
  return { kept, history }
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

/** Describes the locators of a step's element, one sentence each. Empty for a step without an element. */
export function waysOf({ tab, target }: Step): readonly string[] {
  if (!target) return []
  const { role, name, label, text, attributes, before, after, row, path } = target
  const ways = [
    tab !== undefined && `It is in the tab ${quoted(tab)}.`,
    name ? `Its role is ${role}, and its name ${quoted(name)}.` : `Its role is ${role}, without a name.`,
    label && `Its label is ${quoted(label)}.`,
    text && `Its text is ${quoted(text)}.`,
    ...Object.entries(attributes ?? {}).map(([key, value]) => `Its ${key} is ${quoted(value)}.`),
    before && `${quoted(before)} is before it.`,
    after && `${quoted(after)} is after it.`,
    row && row.length > 0 && `Its row has ${row.map(quoted).join(', ')}.`,
    path && `Its path is ${path}.`,
  ]
  return ways.filter((way): way is string => typeof way === 'string' && way !== '')
}

/** Describes the expected outcomes of a step, one sentence each. Empty if nothing is expected. */
export function outcomesOf({
  expects: { address, state = {}, gone, shows = [], controls = [], opens = [], closes = [] } = {},
}: Step): readonly string[] {
  return [
    ...(address === undefined ? [] : [`The page is ${address}.`]),
    ...Object.entries(state).map(([key, value]) =>
      typeof value === 'string' ? `Its ${key} is ${quoted(value)}.` : `It is ${value ? '' : 'not '}${key}.`,
    ),
    ...(gone ? ['The element is gone.'] : []),
    ...shows.map((text) => `The page shows ${quoted(text)}.`),
    ...controls.map((control) => `The page has: ${control}.`),
    ...opens.map(({ tab, address: at }) => `The tab ${quoted(tab)} opens${at === undefined ? '' : ` at ${at}`}.`),
    ...closes.map((tab) => `The tab ${quoted(tab)} is closed.`),
  ]
}
