// Compiles a recording to a script.
import { EngineError } from '@harvestman/ports'

import type { Digest } from '../page/seen.ts'
import { insertPlaceholders } from '../script/template.ts'
import {
  bounds,
  parameterName,
  scriptSchema,
  type Expects,
  type Script,
  type Step,
  type Values,
} from '../script/schema.ts'
import { plainUrl, withoutNumbers } from './address.ts'
import { foldLists, foldRepeats } from './fold.ts'
import type { Act } from './acts.ts'
import { tabsOf } from './tabs.ts'
import { targetOf } from './target.ts'

/** A recording. */
export interface Recording {
  readonly start: string
  readonly acts: readonly Act[]
  /** URLs of the tabs that are still open, by tab id. */
  readonly urls?: ReadonlyMap<string, string>
}

/**
 * Compiles a recording to a script. `values` become parameters; those in `hidden` only where they are the full value of a step.
 * Throws `invalid_request` if there are no steps or more than 100, or an action is in a tab that no step has opened.
 */
export function compile(
  { start, acts, urls: shown }: Recording,
  values: Values,
  hidden: readonly string[] = [],
): Script {
  const all = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  const texts = Object.fromEntries(Object.entries(all).filter(([name]) => !hidden.includes(name)))
  const lists = Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [] : [{ name, value }]))
  const secrets: Script['parameters'] = {}
  const named = new Set(acts.flatMap(({ secret }) => secret ?? []))
  const tabs = tabsOf(acts, shown, texts)
  const drafts = acts.flatMap((act, index) => {
    if (isWayToField(act, acts[index + 1])) return []
    const step = withEnd(tabs.placed(stepOf(act, texts, lists, all), act), act, index === acts.length - 1)
    if (act.isSecret !== true) return [{ act, step }]
    const name = nameOfSecret(act, secrets, named)
    secrets[name] = { type: 'text', secret: true, ...(act.origin !== undefined && { origin: act.origin }) }
    return [{ act, step: { ...step, value: `{{${name}}}` } }]
  })
  const steps = foldLists(foldRepeats(drafts, texts), lists)
  if (steps.length === 0)
    throw new EngineError('invalid_request', 'No action was recorded yet that a script could repeat.')
  if (steps.length > bounds.steps)
    throw new EngineError('invalid_request', `More than ${bounds.steps} steps were recorded. Record fewer at a time.`)
  const urls = [start, ...tabs.urls, ...acts.flatMap(({ url, page, next }) => [url, page?.url, next?.url])]
  const hosts = [...new Set(urls.flatMap((one) => (one === undefined ? [] : (URL.parse(one)?.host ?? []))))]
  const types = Object.entries(values).map(([name, value]) => [name, { type: Array.isArray(value) ? 'list' : 'text' }])
  const parameters = { ...Object.fromEntries(types), ...secrets }
  const begin = insertPlaceholders(start, texts)
  return scriptSchema.parse({ version: 1, start: begin, hosts: hosts.slice(0, 20), parameters, steps })
}

type Texts = Readonly<Record<string, string>>

interface List {
  readonly name: string
  readonly value: readonly string[]
}

/** Returns whether a click only focuses a field that is filled in next. */
function isWayToField(act: Act, next: Act | undefined): boolean {
  if (act.type !== 'click' || next?.type !== 'fill' || act.tab !== next.tab || act.opens) return false
  const isSame = act.target?.path === next.target?.path && act.target?.role === next.target?.role
  return isSame && /^(?:textbox|searchbox|spinbutton|combobox)$/.test(act.target?.role ?? '')
}

function nameOfSecret({ target, secret }: Act, taken: Script['parameters'], named: ReadonlySet<string>): string {
  if (secret !== undefined && parameterName.safeParse(secret).success) return secret
  const label = (target?.label || target?.name || 'password').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const name = /^[a-z][a-z0-9-]{0,40}/.exec(label)?.[0].replace(/-$/, '') ?? 'password'
  for (let count = 1; ; count += 1) {
    const one = count === 1 ? name : `${name}-${count}`
    if (!Object.hasOwn(taken, one) && !named.has(one)) return one
  }
}

function stepOf(act: Act, texts: Texts, lists: readonly List[], all: Texts): Step {
  if (act.type === 'goto') return { action: 'goto', value: insertPlaceholders(act.url ?? '', texts), expects: {} }
  const target = act.target && targetOf(act.target, texts)
  const value = act.type === 'press' ? act.key : valueOf(act.value, texts, lists, all)
  return {
    action: act.type,
    ...(target && { target }),
    ...(value !== undefined && { value }),
    expects: expectsOf(act, texts, value),
  }
}

function valueOf(value: Act['value'], texts: Texts, lists: readonly List[], all: Texts): Step['value'] | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') {
    const exact = Object.entries(all).find(([, text]) => text === value)
    return exact ? `{{${exact[0]}}}` : insertPlaceholders(value, texts)
  }
  const sorted = JSON.stringify(value.toSorted())
  const list = lists.find((one) => JSON.stringify(one.value.toSorted()) === sorted)
  return list ? `{{${list.name}}}` : value.map((one) => insertPlaceholders(one, texts))
}

/** The last step needs an expected outcome. Without one, uses text that appears after it. */
function withEnd(step: Step, { page, next }: Act, isLast: boolean): Step {
  if (!isLast || !page || !next || Object.keys(step.expects).length > 0) return step
  const known = new Set(page.texts)
  const text = next.texts.find((one) => !known.has(one) && /^[^\d{]{3,60}$/.test(one))
  return text === undefined ? step : { ...step, expects: { shows: [text] } }
}

function expectsOf(act: Act, texts: Texts, value: Step['value'] | undefined): Expects {
  const { page, next, after } = act
  const state = act.target && stateAfter(act, value)
  const rest = { ...(state && { state }) }
  if (!page || !next) return rest
  const address = plainUrl(next.url)
  if (address !== plainUrl(page.url))
    return { ...rest, address: insertPlaceholders(address, texts), ...showsOf(page, next, texts) }
  return { ...rest, ...(after?.isGone === true && { gone: true }), ...showsOf(page, next, texts) }
}

function stateAfter({ type, target, after, isSecret }: Act, value: Step['value'] | undefined): Expects['state'] {
  if (isSecret === true) return { filled: true }
  const now = after?.state
  if (!target || !now) return type === 'fill' && typeof value === 'string' ? { value } : undefined
  const changed = (['checked', 'selected', 'expanded', 'pressed'] as const).filter(
    (name) => now[name] !== undefined && now[name] !== target.state[name],
  )
  const flags = Object.fromEntries(changed.map((name) => [name, now[name]]))
  const holdsValue = typeof value === 'string' && (type === 'fill' || (type === 'select' && target.role === 'combobox'))
  const all = { ...flags, ...(holdsValue && { value }) }
  return Object.keys(all).length > 0 ? all : undefined
}

function showsOf(page: Digest, next: Digest, texts: Texts): Pick<Expects, 'shows' | 'controls'> {
  const known = new Set(page.signs)
  const signs = next.signs
    .filter((sign) => !known.has(sign))
    .map((sign) => withoutNumbers(insertPlaceholders(sign, texts)))
  const before = new Set(page.texts)
  const newTexts = next.texts
    .filter((text) => !before.has(text))
    .map((text) => insertPlaceholders(text, texts))
    .filter((text) => text.includes('{{'))
  const shows = [...new Set([...signs, ...newTexts])].slice(0, 3)
  const here = new Set(page.controls)
  const controls =
    shows.length > 0 ? [] : next.controls.filter((one) => !here.has(one) && !/^\S+ $/.test(one)).slice(0, 1)
  return {
    ...(shows.length > 0 && { shows }),
    ...(controls.length > 0 && { controls: controls.map((one) => insertPlaceholders(one, texts)) }),
  }
}
