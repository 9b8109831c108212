// Main content by rules: what pages call their furniture, and what they call their content. Sound, but blind to pages that
// call things otherwise.

import { countText, isInNoscript, wordless } from './noscript.ts'
import type { Element, Node } from './tree.ts'
import { nextNode } from './walk.ts'

export interface MainContent {
  /** Nodes that a writer leaves out, with all that they hold. */
  readonly removed: ReadonlySet<Node>
  /** The words of the page stand in `<noscript>`. */
  readonly noscript: boolean
  readonly warning?: string
}

const furnitureTags = new Set(['nav', 'footer', 'aside', 'dialog'])
const furnitureRoles = new Set('navigation banner contentinfo complementary search dialog alertdialog menu'.split(' '))

// Contract 12.4 without what hurt: `widget`, `top`, `bottom`, `side`, `overlay`, `menu`, `header` and `language` name
// the content itself on too many pages (page builders, restaurants, cards, articles with a header of their own).
const furnitureNames = new Set(
  (
    'navbar footer sidebar aside modal popup ad ads advert lang-selector language-selector social social-media social-links ' +
    'navigation nav breadcrumbs share cookie fc-decoration'
  ).split(' '),
)

const netRule = { share: 0.2, chars: 200 } as const

/** What a walk finds out about one element. */
interface Facts {
  readonly element: Element
  readonly parent: Facts | null
  text: number
  hasHeading: boolean
}

export function findMainContentByRules(root: Element): MainContent {
  const noscript = isInNoscript(root)
  if (noscript) return { removed: new Set(), noscript }
  const { all, total } = measure(root)
  const main = chooseMain(all, total)
  const removed = new Set<Node>()
  if (main) removeOutside(main, findTitle(all, main), removed)
  for (const facts of all) if (isFurniture(facts, main, total)) removed.add(facts.element)
  const left = countText(root, removed)
  if (total > 0 && (left < total * netRule.share || (left < netRule.chars && total >= netRule.chars))) {
    const warning =
      'Hardly any main content was found on this page, so all of it is given. Set onlyMainContent to false to ask for this.'
    return { removed: new Set(), noscript, warning }
  }
  return { removed, noscript }
}

function measure(root: Element): { all: Facts[]; total: number } {
  const all: Facts[] = []
  let facts: Facts = { element: root, parent: null, text: 0, hasHeading: false }
  const top = facts
  let node = nextNode(root, root)
  while (node) {
    while (facts.element !== node.parent && facts.parent) facts = facts.parent
    if (node.type === 'text') {
      const length = node.text.trim().length
      for (let at: Facts | null = length > 0 ? facts : null; at; at = at.parent) at.text += length
      node = nextNode(node, root)
      continue
    }
    const isSkipped = wordless.has(node.name)
    if (!isSkipped) {
      facts = { element: node, parent: facts, text: 0, hasHeading: false }
      all.push(facts)
      if (node.name === 'h1' || node.name === 'h2') {
        for (let at = facts.parent; at && !at.hasHeading; at = at.parent) at.hasHeading = true
      }
    }
    node = nextNode(node, root, isSkipped)
  }
  return { all, total: top.text }
}

function chooseMain(all: readonly Facts[], total: number): Facts | undefined {
  const isMain = ({ element: { name, attributes } }: Facts): boolean =>
    name === 'main' || attributes['role'] === 'main' || attributes['id'] === 'main'
  const largest = (found: readonly Facts[]): Facts | undefined =>
    found.reduce<Facts | undefined>((best, facts) => (best && best.text >= facts.text ? best : facts), undefined)
  const main = largest(all.filter(isMain))
  if (main && main.text >= total * 0.25) return main
  const articles = all.filter(({ element }) => element.name === 'article')
  const article = articles.length <= 3 ? largest(articles) : undefined
  return article && article.text >= total * 0.4 ? article : undefined
}

/** The headline, when it stands before the main part and not in it. */
function findTitle(all: readonly Facts[], main: Facts): Element | undefined {
  const titles = all.filter(({ element }) => element.name === 'h1')
  const isElsewhere = titles.length === 1 && !isWithin(titles[0]!.element, main.element)
  return isElsewhere ? titles[0]!.element : undefined
}

function isWithin(node: Element, ancestor: Element): boolean {
  for (let at: Element | null = node; at; at = at.parent) if (at === ancestor) return true
  return false
}

function removeOutside(main: Facts, title: Element | undefined, removed: Set<Node>): void {
  const kept = new Set<Node>()
  for (const keeper of [main.element, title]) {
    for (let at: Element | null = keeper ?? null; at; at = at.parent) kept.add(at)
  }
  for (const at of kept) {
    if (at.type !== 'element' || at === main.element || at === title) continue
    for (let child = at.first; child; child = child.next) if (!kept.has(child)) removed.add(child)
  }
}

function isFurniture(facts: Facts, main: Facts | undefined, total: number): boolean {
  const { element, text, hasHeading } = facts
  const { name, attributes } = element
  if (main && isWithin(main.element, element)) return false
  if (isHidden(element)) return text < total * 0.5
  if (text > total * 0.6 || name === 'body' || name === 'html') return false
  if (furnitureTags.has(name) || furnitureRoles.has(attributes['role'] ?? '')) return true
  if (name === 'header') return !hasHeading
  return [attributes['id'], ...(attributes['class']?.split(/\s+/) ?? [])].some(
    (word) => word !== undefined && furnitureNames.has(word.toLowerCase()),
  )
}

const hidingStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i

function isHidden({ attributes }: Element): boolean {
  if ('hidden' in attributes || attributes['aria-hidden'] === 'true') return true
  const { style } = attributes
  return style !== undefined && hidingStyle.test(style)
}
