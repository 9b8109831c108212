// Inspects a page from an isolated world, which the page can neither see nor change. It only collects data: elements are
// matched to steps outside of the page.
import type { AnyElement } from '../../ports/page/elements.ts'
import { inspectorName } from '../src/page/names.ts'
import { pageLimits } from '../src/page/limits.ts'
import type { Digest, Look, SeenElement } from '../src/page/seen.ts'
import { aim, choose, focus, put } from './actions.ts'
import { kindOf, partOf, rowOf, textBeside } from './around.ts'
import { attributesOf, clean, labelOf, nameOf, ownText, roleOf, textOf } from './elements.ts'
import { documentIn, documents, frameWaysOf, isBeside, isVisible, pathOf } from './frames.ts'
import { stateOf } from './state.ts'
import { isTarget, targetOf, walk } from './walk.ts'

function describe(element: AnyElement, alone: string): SeenElement {
  return {
    role: roleOf(element),
    name: nameOf(element),
    label: labelOf(element),
    text: ownText(element),
    attributes: attributesOf(element),
    before: textBeside(element, 'before'),
    after: textBeside(element, 'after'),
    row: rowOf(element),
    path: pathOf(element),
    frame: frameWaysOf(element),
    state: stateOf(element),
    alone,
  }
}

const signSelector =
  'h1, h2, h3, h4, h5, h6, dialog[open], [role=heading], [role=dialog], [role=alertdialog], [role=alert], [role=status]'

function signs(): string[] {
  const found: string[] = []
  for (const element of documents().flatMap((one) => [...one.querySelectorAll(signSelector)])) {
    if (found.length >= pageLimits.signs) break
    if (!isVisible(element)) continue
    const text = clean(element.getAttribute('aria-label') || textOf(element))
    if (text) found.push(text)
  }
  return found
}

const controlSelector = 'button, input:not([type=hidden]), textarea, select, [role=button], [role=tab], [role=textbox]'

function controls(): string[] {
  const found: string[] = []
  walk((element) => {
    if (found.length >= 200 || !element.matches(controlSelector) || !isVisible(element)) return
    found.push(`${roleOf(element)} ${nameOf(element)}`)
  })
  return found
}

function texts(): string[] {
  const found = new Set<string>()
  walk((element) => {
    const text = found.size < 500 ? ownText(element) : ''
    if (text && text.length <= 80 && isVisible(element)) found.add(text)
  })
  return [...found]
}

/** Returns the position of an element among the elements with its role and name in its document. */
function place(element: Element): { index: number; of: number } {
  const alike: Element[] = []
  const [role, name] = [roleOf(element), nameOf(element)]
  const isAlike = (other: Element): boolean =>
    isTarget(other) && isVisible(other) && roleOf(other) === role && nameOf(other) === name
  walk((other) => {
    if (alike.length >= 500 || !isBeside(other, element)) return
    if (other === element || isAlike(other)) alike.push(other)
  })
  return { index: Math.max(0, alike.indexOf(element)), of: Math.max(1, alike.length) }
}

/** Returns the part of the page around an element if no other element there has its role, otherwise an empty string. */
function aloneIn(element: Element): string {
  const part = partOf(element)
  const kind = kindOf(element, part)
  let count = 0
  walk((other) => {
    if (count > 1 || other === element || !isBeside(other, element) || !isTarget(other)) return
    if (kindOf(other, partOf(other)) === kind && isVisible(other)) count += 1
  })
  return count === 0 ? part : ''
}

const page = (): Omit<Look, 'isComplete' | 'elements'> => ({
  url: location.href,
  title: clean(document.title),
  signs: signs(),
})

// The sum of the start times of all documents identifies them, because each document has its own.
function loading(): { document: number; isLoaded: boolean } {
  const all = documents()
  const starts = all.map((one) => one.defaultView?.performance.timeOrigin ?? 0)
  const isLoaded = all.every((one) => one.readyState === 'complete')
  return { document: starts.reduce((sum, one) => sum + one, 0), isLoaded }
}

let found: Element[] = []

function gather(): boolean {
  found = []
  const isComplete = walk((element) => {
    if (found.length <= pageLimits.elements && isTarget(element) && isVisible(element)) found.push(element)
  })
  return isComplete && found.length <= pageLimits.elements
}

function look(): Look {
  const isComplete = gather()
  const inParts = found.map((element) => [element, partOf(element)] as const)
  const kinds = inParts.map(([element, part]) => kindOf(element, part))
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const elements = inParts.map(([element, part], index) =>
    describe(element, counts.get(kinds[index] ?? '') === 1 ? part : ''),
  )
  return { ...page(), isComplete, elements }
}

const inspector = {
  look,
  page,
  loading,
  digest: (): Digest => ({ ...page(), texts: texts(), controls: controls() }),
  describe: (element: Element) => describe(element, aloneIn(element)),
  place,
  targetOf,
  stateOf,
  isVisible,
  documents,
  documentIn,
  state: (index: number) => {
    const element = found[index]
    return element && isVisible(element) ? stateOf(element) : undefined
  },
  aim: (index: number) => aim(found[index]),
  focus: (index: number, all: boolean) => focus(found[index], all),
  put: (index: number, value: string) => {
    const element = found[index]
    if (!element) throw new Error('The element is gone.')
    return put(element, value)
  },
  choose: (index: number, labels: readonly string[]) => choose(found[index], labels),
}

/** Functions of the inspector, which are called from outside of the page. */
export type Inspector = typeof inspector

/** Installs the inspector in the isolated world, once per document. */
export function installInspector(): void {
  // An element with this id would be an inherited property of `window`, so check own properties only.
  if (!Object.hasOwn(globalThis, inspectorName)) Object.assign(globalThis, { [inspectorName]: inspector })
}
