// Steps that were done again and again become one: for each item of a list, or until a text is shown.
import { opened } from '../script/template.ts'
import type { Expects, Step } from '../script/schema.ts'
import type { Act } from './acts.ts'
import { targetOf } from './target.ts'

/** A step and the act that it comes from. */
export interface Draft {
  readonly act: Act
  readonly step: Step
}

interface List {
  readonly name: string
  readonly value: readonly string[]
}

const longestBlock = 4

/** The same act again and again, after the last of which a parameter is shown for the first time. */
export function foldRepeats(drafts: readonly Draft[], texts: Readonly<Record<string, string>>): readonly Draft[] {
  const folded: Draft[] = []
  for (let begin = 0; begin < drafts.length;) {
    const first = drafts[begin]!
    let end = begin + 1
    while (end < drafts.length && isSameAct(first, drafts[end]!)) end += 1
    const until = untilOf(first.act, drafts[end - 1]!.act, texts)
    const isLoop = until !== undefined && (first.step.action === 'click' || first.step.action === 'press')
    if (isLoop) folded.push({ act: first.act, step: { ...first.step, until, expects: {} } })
    else folded.push(...drafts.slice(begin, end))
    begin = end
  }
  return folded
}

function isSameAct(a: Draft, b: Draft): boolean {
  const keyOf = ({ step: { action, target, value } }: Draft): string =>
    JSON.stringify([action, target?.role, target?.name, target?.path, target?.attributes, value])
  return keyOf(a) === keyOf(b)
}

/** What leafs through a calendar, a gallery or a list. */
const pager =
  /^(?:(?:prev|previous|next|earlier|later|older|newer)(?: (?:day|week|month|year|decade|page|slide|image|item))?|[«»‹›<>←→◀▶]{1,2})$/i

/** Pressed once, it says as much as pressed again and again: a parameter is shown then, and it can be pressed further. */
function isPager({ target, next }: Act): boolean {
  if (!target || !next || !pager.test(target.name)) return false
  return next.texts.includes(target.name) || next.controls.includes(`${target.role} ${target.name}`)
}

function untilOf(first: Act, last: Act, texts: Readonly<Record<string, string>>): string | undefined {
  const shown = (text: string): string => opened(text, texts)
  const before = new Set([...(first.page?.texts ?? []), ...(last.page?.texts ?? [])])
  const isNew = (text: string): boolean => !before.has(text)
  // The next page is where a link leads, and not what a button brings about by and by.
  if (first.page?.url !== last.next?.url || (first === last && !isPager(first))) return undefined
  return last.next?.texts
    .filter(isNew)
    .map(shown)
    .find((text) => /^\{\{[\w-]+\}\}$/.test(text))
}

/** What was done for the items of a list, in their order, becomes steps that are done for each of them. */
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
  for (let size = 1; size <= longestBlock; size += 1) {
    const length = size * value.length
    if (begin + length > drafts.length) return undefined
    const turns = value.map((item, turn) => {
      const some = drafts.slice(begin + turn * size, begin + (turn + 1) * size)
      return some.map((draft) => withItem(draft, { [name]: item }))
    })
    const [first = []] = turns
    const isUsed = JSON.stringify(first[0]).includes(`{{${name}}}`)
    if (!isUsed || turns.some((turn) => shapeOf(turn) !== shapeOf(first))) continue
    const steps = first.map((step, index) => ({
      ...step,
      ...(index === 0 && { each: name, ...(size > 1 && { block: size }) }),
      expects: turns.map((turn) => turn[index]?.expects ?? {}).reduce(inBoth),
    }))
    return { steps, length }
  }
  return undefined
}

function withItem({ act, step }: Draft, item: Readonly<Record<string, string>>): Step {
  const target =
    step.target && act.target && !JSON.stringify(step.target).includes('{{') ? targetOf(act.target, item) : step.target
  const value = typeof step.value === 'string' ? opened(step.value, item) : step.value
  const { state } = step.expects
  const expects =
    state?.value === undefined
      ? step.expects
      : { ...step.expects, state: { ...state, value: opened(state.value, item) } }
  return { ...step, ...(target && { target }), ...(value !== undefined && { value }), expects }
}

/** What must be the same in each turn. */
function shapeOf(steps: readonly Step[]): string {
  const shapes = steps.map(({ action, target, value }) => {
    const { role, name, label, row, before, after } = target ?? {}
    const isOpen = JSON.stringify(target ?? {}).includes('{{')
    return isOpen ? [action, role, name, label, row, before, after, value] : [action, role, name, value]
  })
  return JSON.stringify(shapes)
}

/** What held each time. */
function inBoth(one: Expects, other: Expects): Expects {
  const isSame = (key: keyof Expects): boolean => JSON.stringify(one[key]) === JSON.stringify(other[key])
  return {
    ...(one.address !== undefined && isSame('address') && { address: one.address }),
    ...(one.state && isSame('state') && { state: one.state }),
    ...(one.gone && isSame('gone') && { gone: one.gone }),
    ...(one.shows && isSame('shows') && { shows: one.shows }),
    ...(one.controls && isSame('controls') && { controls: one.controls }),
  }
}
