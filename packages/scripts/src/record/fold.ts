// Folds repeated steps into one: for each item of a list, or until certain text appears.
import { insertPlaceholders } from '../script/template.ts'
import type { Expects, Opens, Step } from '../script/schema.ts'
import type { Act } from './acts.ts'
import { targetOf } from './target.ts'

/** A step and the action that it comes from. */
export interface Draft {
  readonly act: Act
  readonly step: Step
}

interface List {
  readonly name: string
  readonly value: readonly string[]
}

const maxBlock = 4

/**
 * Folds repeated clicks on one element, or presses of one key, that end when the value of a parameter appears. A single click
 * on a pager, such as "Next month", is folded too. Other actions are unchanged.
 */
export function foldRepeats(drafts: readonly Draft[], texts: Readonly<Record<string, string>>): readonly Draft[] {
  const folded: Draft[] = []
  for (let begin = 0; begin < drafts.length;) {
    const first = drafts[begin]!
    let end = begin + 1
    while (end < drafts.length && isSameAct(first, drafts[end]!)) end += 1
    const until = untilOf(first.act, drafts[end - 1]!.act, texts)
    const hasTabs = drafts.slice(begin, end).some(({ step: { expects } }) => expects.opens ?? expects.closes)
    const isLoop = until !== undefined && !hasTabs && (first.step.action === 'click' || first.step.action === 'press')
    if (isLoop) folded.push({ act: first.act, step: { ...first.step, until, expects: {} } })
    else folded.push(...drafts.slice(begin, end))
    begin = end
  }
  return folded
}

function isSameAct(a: Draft, b: Draft): boolean {
  const keyOf = ({ step: { action, tab, target, value } }: Draft): string =>
    JSON.stringify([action, tab, target?.role, target?.name, target?.path, target?.attributes, value])
  return keyOf(a) === keyOf(b)
}

/** Names of controls that page through a calendar, gallery or list. */
const pager =
  /^(?:(?:prev|previous|next|earlier|later|older|newer)(?: (?:day|week|month|year|decade|page|slide|image|item))?|[«»‹›<>←→◀▶]{1,2})$/i

/** Returns whether the control pages through something and can be pressed again. Then even a single press becomes a loop. */
function isPager({ target, next }: Act): boolean {
  if (!target || !next || !pager.test(target.name)) return false
  return next.texts.includes(target.name) || next.controls.includes(`${target.role} ${target.name}`)
}

function untilOf(first: Act, last: Act, texts: Readonly<Record<string, string>>): string | undefined {
  const shown = (text: string): string => insertPlaceholders(text, texts)
  const before = new Set([...(first.page?.texts ?? []), ...(last.page?.texts ?? [])])
  const isNew = (text: string): boolean => !before.has(text)
  // If the URL changes, the control is a link to a page rather than a step of a loop.
  if (first.page?.url !== last.next?.url || (first === last && !isPager(first))) return undefined
  return last.next?.texts
    .filter(isNew)
    .map(shown)
    .find((text) => /^\{\{[\w-]+\}\}$/.test(text))
}

/**
 * Folds blocks of up to 4 steps that were repeated for the items of a list, in order, into steps with `each`. Other steps are
 * unchanged.
 */
export function foldLists(drafts: readonly Draft[], lists: readonly List[]): readonly Step[] {
  const steps: Step[] = []
  for (let begin = 0; begin < drafts.length;) {
    const found = lists.flatMap((list) => blockOf(drafts, begin, list) ?? [])[0]
    steps.push(...(found?.steps ?? [drafts[begin]!.step]))
    begin += found?.length ?? 1
  }
  return steps
}

function blockOf(drafts: readonly Draft[], begin: number, { name, value }: List) {
  if (value.length === 0) return undefined
  for (let size = 1; size <= maxBlock; size += 1) {
    const length = size * value.length
    if (begin + length > drafts.length) return undefined
    const turns = value.map((item, turn) => {
      const some = drafts.slice(begin + turn * size, begin + (turn + 1) * size)
      return some.map((draft) => withItem(draft, { [name]: item }))
    })
    const isUsed = JSON.stringify(turns[0]?.[0]).includes(`{{${name}}}`)
    const after = drafts.slice(begin + length).map(({ step }) => step)
    const alike = withTabsOfFirst(turns, after)
    const [first = []] = alike ?? []
    if (!isUsed || !alike || alike.some((turn) => shapeOf(turn) !== shapeOf(first))) continue
    const steps = first.map((step, index) => ({
      ...step,
      ...(index === 0 && { each: name, ...(size > 1 && { block: size }) }),
      expects: alike.map((turn) => turn[index]?.expects ?? {}).reduce(inBoth),
    }))
    return { steps, length }
  }
  return undefined
}

function withItem({ act, step }: Draft, item: Readonly<Record<string, string>>): Step {
  const target =
    step.target && act.target && !JSON.stringify(step.target).includes('{{') ? targetOf(act.target, item) : step.target
  const value = typeof step.value === 'string' ? insertPlaceholders(step.value, item) : step.value
  const { state, opens } = step.expects
  const open = ({ tab, address }: Opens): Opens =>
    address === undefined ? { tab } : { tab, address: insertPlaceholders(address, item) }
  const expects = {
    ...step.expects,
    ...(state?.value !== undefined && { state: { ...state, value: insertPlaceholders(state.value, item) } }),
    ...(opens && { opens: opens.map(open) }),
  }
  return { ...step, ...(target && { target }), ...(value !== undefined && { value }), expects }
}

/** Returns what must be equal in each repetition. */
function shapeOf(steps: readonly Step[]): string {
  const shapes = steps.map(({ action, tab, target, value, expects }) => {
    const { role, name, label, row, before, after } = target ?? {}
    const isOpen = JSON.stringify(target ?? {}).includes('{{')
    const tabs = [tab, namesOf(expects.opens), expects.closes]
    return isOpen ? [action, tabs, role, name, label, row, before, after, value] : [action, tabs, role, name, value]
  })
  return JSON.stringify(shapes)
}

/** Returns the expectations that both have. */
function inBoth(one: Expects, other: Expects): Expects {
  const isSame = (key: keyof Expects): boolean => JSON.stringify(one[key]) === JSON.stringify(other[key])
  return {
    ...(one.address !== undefined && isSame('address') && { address: one.address }),
    ...(one.state && isSame('state') && { state: one.state }),
    ...(one.gone && isSame('gone') && { gone: one.gone }),
    ...(one.shows && isSame('shows') && { shows: one.shows }),
    ...(one.controls && isSame('controls') && { controls: one.controls }),
    ...(one.opens && other.opens && { opens: one.opens.map((tab, index) => inBothTabs(tab, other.opens?.[index])) }),
    ...(one.closes && isSame('closes') && { closes: one.closes }),
  }
}

function inBothTabs({ tab, address }: Opens, other: Opens | undefined): Opens {
  return address !== undefined && address === other?.address ? { tab, address } : { tab }
}

const namesOf = (opens: readonly Opens[] = []): readonly string[] => opens.map(({ tab }) => tab)

const openedIn = (steps: readonly Step[]): readonly string[] => steps.flatMap(({ expects }) => namesOf(expects.opens))

/**
 * Renames the tabs in each repetition to the names in the first. Returns `undefined` if a later step uses one of the tabs,
 * because it would be ambiguous.
 */
function withTabsOfFirst(
  turns: readonly (readonly Step[])[],
  after: readonly Step[],
): readonly (readonly Step[])[] | undefined {
  const all = new Set(turns.flatMap(openedIn))
  if (after.some(({ tab, expects }) => [tab, ...(expects.closes ?? [])].some((one) => one && all.has(one))))
    return undefined
  const first = openedIn(turns[0] ?? [])
  return turns.map((turn) => {
    const names = new Map(openedIn(turn).map((name, index) => [name, first[index] ?? name]))
    const named = (name: string): string => names.get(name) ?? name
    return turn.map(({ tab, expects: { opens, closes, ...rest }, ...step }) => ({
      ...step,
      ...(tab !== undefined && { tab: named(tab) }),
      expects: {
        ...rest,
        ...(opens && { opens: opens.map((one) => ({ ...one, tab: named(one.tab) })) }),
        ...(closes && { closes: closes.map(named) }),
      },
    }))
  })
}
