// Detects hidden content that visitors can open: tab panels, accordions, menus, carousels, "read more".
import { wordless } from '../parse/noscript.ts'
import { hasAttributes, type Element, type Node } from '../tree/tree.ts'
import { lineOf, nextNode } from '../tree/walk.ts'

/** The elements of a page that refer to other elements by id. */
export interface Controls {
  /** Controls by the id that they refer to. */
  readonly byTarget: ReadonlyMap<string, readonly Element[]>
  /** The elements that a control refers to. Such a control opens nothing else. */
  readonly targets: ReadonlyMap<Element, readonly Element[]>
}

const references = new Set([
  'aria-controls',
  'aria-owns',
  'data-target',
  'data-bs-target',
  'data-toggle-target',
  'data-tab',
  'data-panel',
  'data-collapse-toggle',
  'data-dropdown-toggle',
  'data-modal-target',
  'data-src',
  'popovertarget',
  'commandfor',
])

const maxIds = 8
const maxControls = 20

/**
 * Finds the elements that refer to others by id, with `aria-controls`, `href="#…"`, `for`, `onclick` and the like, so that
 * hidden elements can be opened. `withId` has the elements with an id. For an id at most 20 are returned.
 */
export function controlsOf(elements: readonly Element[], withId: readonly Element[]): Controls {
  const byTarget = new Map<string, Element[]>()
  const add = (id: string, control: Element): void => {
    const known = byTarget.get(id)
    if (!known) byTarget.set(id, [control])
    else if (known.length < maxControls) known.push(control)
  }
  for (const element of elements) {
    if (hasAttributes(element)) for (const id of idsReferredBy(element)) add(id, element)
  }
  const ids = new Map<string, Element>()
  for (const element of withId) {
    const id = element.attributes['id']!
    if (byTarget.has(id) && !ids.has(id)) ids.set(id, element)
  }
  const targets = new Map<Element, Element[]>()
  for (const [id, controls] of byTarget) {
    const target = ids.get(id)
    if (target) for (const control of controls) targets.set(control, [...(targets.get(control) ?? []), target])
  }
  return { byTarget, targets }
}

const noIds: readonly string[] = []

/** Returns the ids to which the attributes of an element refer. */
function idsReferredBy({ attributes, name }: Element): readonly string[] {
  let found: string[] | undefined
  for (const key in attributes) {
    if (key === 'class' || key === 'id' || key === 'style' || key === 'src') continue
    const value = attributes[key]!
    if (key === 'href') {
      if (name === 'a' && value.length > 1 && value.startsWith('#')) (found ??= []).push(value.slice(1))
    } else if (key === 'for') {
      if (name === 'label') (found ??= []).push(value)
    } else if (key === 'onclick') {
      const names = value.slice(0, 500).matchAll(/['"]#?([\w-]{1,80})['"]/g)
      for (const [, target = ''] of names) (found ??= []).push(target)
    } else if (references.has(key)) {
      for (const target of value.trim().split(/\s+/).slice(0, maxIds)) (found ??= []).push(target.replace(/^#/, ''))
    }
  }
  return found ?? noIds
}

const nearby = 3

/**
 * Returns whether a visitor can open the hidden element: by pointer (`reveal` is `pointer`), or with a visible control. If a
 * rule for a state that scripts set shows it (`script`), a link next to it that opens nothing else counts as a control.
 * `hidden` has all hidden nodes.
 */
export function isOpenable(
  element: Element,
  controls: Controls,
  hidden: ReadonlySet<Node>,
  reveal: 'pointer' | 'script' | undefined,
): boolean {
  if (reveal === 'pointer') return true
  if (idsOf(element).some((id) => controls.byTarget.get(id)?.some((control) => isShown(control, hidden, element))))
    return true
  const role = element.attributes['role']
  const { parent } = element
  if (!parent) return false
  if (role === 'tabpanel' && hasShownTab(parent, hidden, element)) return true
  const isFree = (control: Element): boolean => {
    const targets = controls.targets.get(control)
    return !targets || targets.some((target) => isWithin(target, element) || isWithin(element, target))
  }
  const isFreeLink = (control: Element): boolean => isLink(control) && isFree(control)
  const isFreeOpener = (control: Element): boolean => isOpener(control) && isFree(control)
  if (isMenu(element) && hasOpener(element, hidden, isLink)) return true
  if (hasOpener(element, hidden, isFreeOpener)) return true
  return isSlide(element, hidden) || (reveal === 'script' && hasOpener(element, hidden, isFreeLink))
}

function isWithin(inner: Element, outer: Element): boolean {
  let at: Element | null = inner
  for (let level = 0; at && level < 20; level++, at = at.parent) if (at === outer) return true
  return false
}

/** Ids of the element, of its parent if it is the only child, and of its only child: the control may refer to any. */
function idsOf(element: Element): string[] {
  const ids = [element.attributes['id'], element.attributes['data-tab-content'], element.attributes['data-panel']]
  const { parent } = element
  if (parent && onlyElement(parent) === element) ids.push(parent.attributes['id'])
  const inner = onlyElement(element)
  if (inner) ids.push(inner.attributes['id'])
  return ids.filter((id): id is string => id !== undefined && id !== '')
}

function onlyElement(parent: Element): Element | undefined {
  let found: Element | undefined
  for (let at = parent.first; at; at = at.next) {
    if (at.type !== 'element') continue
    if (found) return undefined
    found = at
  }
  return found
}

function isShown(control: Element, hidden: ReadonlySet<Node>, target: Element): boolean {
  for (let at: Element | null = control; at; at = at.parent) if (hidden.has(at) || at === target) return false
  // Inputs have no content. Any other control needs some to be visible.
  return control.name === 'input' || hasFace(control, hidden)
}

function hasFace(control: Element, hidden: ReadonlySet<Node>): boolean {
  for (let at = control.first; at; at = at.next) {
    if (hidden.has(at)) continue
    if (at.type === 'element' || at.text.trim() !== '') return true
  }
  return control.attributes['aria-label'] !== undefined || control.attributes['title'] !== undefined
}

function hasShownTab(parent: Element, hidden: ReadonlySet<Node>, panel: Element): boolean {
  let steps = 0
  for (let up: Element | null = parent, level = 0; up && level < nearby; up = up.parent, level++) {
    for (const inner of near(up)) {
      if (++steps > maxNear) return false
      if (/^(?:tab|tablist)$/.test(inner.attributes['role'] ?? '') && isShown(inner, hidden, panel)) return true
    }
  }
  return false
}

const maxNear = 200

/** Yields child and grandchild elements. */
function* near(parent: Element): Iterable<Element> {
  for (let at = parent.first; at; at = at.next) {
    if (at.type !== 'element') continue
    yield at
    for (let inner = at.first; inner; inner = inner.next) if (inner.type === 'element') yield inner
  }
}

/** Returns whether a matching control is next to the element, or next to its parent if the element is the only child. */
function hasOpener(element: Element, hidden: ReadonlySet<Node>, isOne: (control: Element) => boolean): boolean {
  const targets = [element]
  if (element.parent && onlyElement(element.parent) === element) targets.push(element.parent)
  return targets.some((target) => {
    const before = siblings(target, 'previous')
    const after = siblings(target, 'next')
    return [...before, ...after].some((sibling) => {
      if (hidden.has(sibling)) return false
      if (isOne(sibling) && isShown(sibling, hidden, element)) return true
      let steps = 0
      for (const inner of near(sibling)) {
        if (++steps > maxNear) return false
        if (isOne(inner) && isShown(inner, hidden, element)) return true
      }
      return false
    })
  })
}

/** Returns the nearest sibling elements on one side, at most `nearby`. */
function siblings(element: Element, side: 'previous' | 'next'): Element[] {
  const found: Element[] = []
  for (let at = element[side]; at && found.length < nearby; at = at[side]) if (at.type === 'element') found.push(at)
  return found
}

const openingName =
  /(?:^|[\s_-])(?:toggle[rd]?|accordion|collaps\w*|expand\w*|dropdown|read-?more|show-?more|more-?(?:link|btn|button|toggle)|tabs?|opener|spoiler|trigger|hamburger|faq)(?:$|[\s_-])/i
const openingText = /^(?:\W*)(?:read|show|see|view|learn|load|mehr|weiter|lire|ver|leer|mostra)\b|\bmore\W*$|…$/i

function isOpener(control: Element): boolean {
  const { name, attributes } = control
  if (attributes['aria-expanded'] !== undefined || attributes['role'] === 'tab' || name === 'summary') return true
  if (attributes['data-toggle'] !== undefined || attributes['data-bs-toggle'] !== undefined) return true
  const isControl =
    name === 'button' ||
    attributes['role'] === 'button' ||
    attributes['onclick'] !== undefined ||
    attributes['tabindex'] === '0' ||
    (name === 'a' && /^(?:#|javascript:|$)/i.test(attributes['href'] ?? ''))
  if (attributes['onclick'] !== undefined) return true
  if (openingName.test(attributes['class'] ?? '') && (isControl || /^(?:h[1-6]|div|dt|span|label|a)$/.test(name)))
    return true
  return isControl && openingText.test(startOf(control))
}

/** Returns the first 80 characters of a control's text. */
function startOf(control: Element, hidden?: ReadonlySet<Node>): string {
  let text = ''
  let steps = 0
  let node = nextNode(control, control)
  while (node && steps++ < 20) {
    const skip = hidden?.has(node) === true || (node.type === 'element' && wordless.has(node.name))
    if (!skip && node.type === 'text') text += node.text.slice(0, 80)
    node = nextNode(node, control, skip)
  }
  return lineOf(text).slice(0, 80)
}

const isLink = (control: Element): boolean =>
  control.name === 'a' ||
  control.name === 'button' ||
  control.attributes['role'] === 'button' ||
  control.name === 'label'

function isMenu({ name, attributes, parent }: Element): boolean {
  if (attributes['role']?.startsWith('menu')) return true
  if (parent?.name !== 'li' && name !== 'ul') return false
  for (let at: Element | null = parent; at; at = at.parent) {
    if (at.name === 'nav' || /^(?:menu|menubar|navigation)$/.test(at.attributes['role'] ?? '')) return true
    if (
      /(?:^|[\s_-])(?:menu|nav(?:bar)?)(?:$|[\s_-])/i.test(
        `${at.attributes['class'] ?? ''} ${at.attributes['id'] ?? ''}`,
      )
    ) {
      return true
    }
  }
  return false
}

const slideControl =
  /(?:^|[\s_-])(?:prev(?:ious)?|next|dots?|bullets?|arrows?|slick|swiper|carousel|slider|indicators?)(?:$|[\s_-])/i

/** Whether a sibling of the same class is visible, with arrows or dots nearby. */
function isSlide(element: Element, hidden: ReadonlySet<Node>): boolean {
  const { parent } = element
  if (!parent) return false
  const own = firstClass(element)
  const hasShown = [...siblings(element, 'previous'), ...siblings(element, 'next')].some(
    (sibling) => sibling.name === element.name && own !== '' && firstClass(sibling) === own && !hidden.has(sibling),
  )
  if (!hasShown) return false
  let steps = 0
  for (let up: Element | null = parent, level = 0; up && level < 2; up = up.parent, level++) {
    for (const inner of near(up)) {
      if (++steps > maxNear) return false
      const { attributes, name } = inner
      const isControl =
        name === 'button' || name === 'a' || attributes['role'] === 'tab' || attributes['role'] === 'button'
      const names = `${attributes['class'] ?? ''} ${attributes['aria-label'] ?? ''}`
      if (
        isControl &&
        (slideControl.test(names) ||
          attributes['role'] === 'tab' ||
          'data-slide' in attributes ||
          'data-bs-slide' in attributes)
      ) {
        if (isShown(inner, hidden, element)) return true
      }
    }
  }
  return false
}

const firstClass = ({ attributes }: Element): string => /\S+/.exec(attributes['class'] ?? '')?.[0] ?? ''

/** Returns whether a nearby sibling has visible text. `hidden` contains the hidden nodes. */
export const hasVisibleNeighbor = (element: Element, hidden: ReadonlySet<Node>): boolean =>
  [...siblings(element, 'previous'), ...siblings(element, 'next')].some(
    (sibling) => !hidden.has(sibling) && startOf(sibling, hidden) !== '',
  )
