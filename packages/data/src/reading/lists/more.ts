// Finds the control that leads to more items: "next", the next page number, or "load more".
import { type Base, type Element, type Node, elementsOf, lineOf, nextNode, resolveUrl } from '@harvestman/html/internal'
import { selectorOf } from './selector.ts'
import type { ListMore } from './types.ts'

const nextWords =
  /^(?:(?:go to )?(?:the )?next(?: page| results?| \d+)?|older(?: posts| entries)?|weiter|nächste(?: seite)?|(?:page )?suivante?s?|(?:página )?siguientes?|(?:próxim[ao]|seguinte)(?: página)?|avanti|(?:pagina )?successiv[ao]|volgende(?: pagina)?|nästa(?: sida)?|neste(?: side)?|næste(?: side)?|seuraava(?: sivu)?|następn[ae](?: strona)?|další|următoarea|következő|sonraki(?: sayfa)?|далее|следующая(?: страница)?|вперёд|次へ|次のページ|下一页|下一頁|下页|다음|التالي|הבא|ถัดไป)[\s›»→>❯▶.…]*$/iu
const nextSign = /^(?:›|→|❯|▶|⟩|>|»|chevron_right|navigate_next|arrow_forward)$/u
const moreWords =
  /^(?:(?:load|show|see|view|display|get|fetch)(?: \d+| some| all)? more(?: [\p{L}\d]+){0,3}|more (?:results|items|products|posts|articles|stories)|(?:\d+ )?(?:weitere|mehr)(?: [\p{L}\d]+){0,2} (?:laden|anzeigen|zeigen)|(?:voir|afficher|charger)(?: [\p{L}]+)? (?:plus|davantage)(?: d[e'’] ?[\p{L}]+)?|plus de (?:résultats|produits)|(?:ver|mostrar|cargar) más(?: [\p{L}]+)?|(?:ver|carregar|mostrar) mais(?: [\p{L}]+)?|(?:mostra|carica) (?:altr[oie]|di più)(?: [\p{L}]+)?|(?:meer|toon meer)(?: [\p{L}]+)?(?: laden| tonen| weergeven)?|visa fler|vis flere|ladda fler|last inn flere|näytä lisää|pokaż więcej|załaduj więcej|zobrazit další|daha fazla(?: göster| yükle)?|(?:показать|загрузить) (?:ещё|еще|больше)|もっと(?:見る|読み込む)|さらに表示|加载更多|查看更多|더 ?보기)[\s.…+↓▼⌄]*$/iu
const nextClass = /(?:^|[\s_-])(?:next|pagenext|nextpage)(?:$|[\s_-])/i
const endClass = /(?:^|[\s_-])(?:disabled|inactive|is-disabled|hidden|last-page)(?:$|[\s_-])/i
const turning = /carousel|slider|swiper|slick|splide|glide|gallery|lightbox|calendar|datepicker|comment/i
const currentClass = /(?:^|[\s_-])(?:current|active|selected|is-active|is-current)(?:$|[\s_-])/i

/** Tag names of clickable elements. */
const controls = new Set(['a', 'button', 'input'])
const beside = new Set(['aside', 'footer', 'header'])
const maxElements = 200_000
const maxTextLength = 60
const nodesOfWords = 16

interface Control {
  readonly element: Element
  readonly words: string
  /** Number of levels from the list up to the common ancestor with the control. */
  readonly distance: number
}

/** Returns the control that leads to more items. Empty if there is none. */
export function moreOf(root: Element, rows: readonly Element[], base: Base): { readonly more?: ListMore } {
  const [first] = rows
  if (!first) return {}
  const found = controlsOf(root, new Set(rows), aboveOf(first))
  const near = (test: (control: Control) => boolean): Control | undefined =>
    found.filter(test).reduce<Control | undefined>((one, other) => (closer(other, one) ? other : one), undefined)
  const next = near(isNext) ?? numberAfter(found) ?? near(isSign)
  const chosen = next ?? near(({ element, words }) => moreWords.test(words) && !isBeside(element))
  if (!chosen) return {}
  const { element, words } = chosen
  const url = pageAt(element, base)
  return {
    more: { way: next ? 'next' : 'more', selector: selectorOf(element), words, ...(url !== undefined && { url }) },
  }
}

/** Returns the absolute URL of the next page from `rel="next"` in the head, or `undefined` if there is none. */
export function nextInHead(root: Element, base: Base): string | undefined {
  const link = elementsOf(root).find(({ name, attributes }) => name === 'link' && isRelNext(attributes))
  const url = link && resolveUrl(link.attributes['href'] ?? '', base)
  return url?.startsWith('http') ? url : undefined
}

function isRelNext({ rel = '' }: Element['attributes']): boolean {
  return rel.toLowerCase().split(/\s+/).includes('next')
}

/** Returns the URL of a link, or `undefined` if it only triggers a script. */
function pageAt({ name, attributes: { href = '' } }: Element, base: Base): string | undefined {
  const url = name === 'a' && href !== '' && !href.startsWith('#') ? resolveUrl(href, base) : undefined
  return url?.startsWith('http') ? url : undefined
}

/** Whether a control is closer to the list. If equally close, the later one wins: pagination is usually below the list. */
function closer(other: Control, one: Control | undefined): boolean {
  return one === undefined || other.distance <= one.distance
}

/** Returns the ancestors of a row with their distance. */
function aboveOf(row: Element): ReadonlyMap<Element, number> {
  const above = new Map<Element, number>()
  for (let at = row.parent; at; at = at.parent) above.set(at, above.size)
  return above
}

function controlsOf(root: Element, rows: ReadonlySet<Element>, above: ReadonlyMap<Element, number>): Control[] {
  const found: Control[] = []
  let node: Node | null = nextNode(root, root)
  for (let left = maxElements; node && left > 0; left -= 1) {
    const isSkipped = node.type === 'element' && (rows.has(node) || isUnshown(node) || turns(node, above))
    if (node.type === 'element' && !isSkipped && isControl(node)) {
      const words = wordsOf(node)
      if (words !== undefined && !isOver(node)) found.push({ element: node, words, distance: distanceOf(node, above) })
    }
    node = nextNode(node, root, isSkipped)
  }
  return found
}

function isUnshown({ name, attributes }: Element): boolean {
  if (name === 'script' || name === 'style' || name === 'template' || name === 'noscript') return true
  if (attributes['hidden'] !== undefined || attributes['aria-hidden'] === 'true') return true
  return /display:\s*none|visibility:\s*hidden/.test(attributes['style'] ?? '')
}

/** Whether an element is part of something else, such as a carousel, a calendar or comments, unless the list is inside. */
function turns(element: Element, above: ReadonlyMap<Element, number>): boolean {
  return turning.test(element.attributes['class'] ?? '') && !above.has(element)
}

function isControl({ name, attributes }: Element): boolean {
  if (name === 'input') return attributes['type'] === 'button' || attributes['type'] === 'submit'
  return controls.has(name) || attributes['role'] === 'button' || attributes['role'] === 'link'
}

function distanceOf(element: Element, above: ReadonlyMap<Element, number>): number {
  for (let at = element.parent; at; at = at.parent) {
    const distance = above.get(at)
    if (distance !== undefined) return distance
  }
  return Infinity
}

/** Returns the `aria-label` or text of a control. The label wins, because the text may be just a symbol. */
function wordsOf(element: Element): string | undefined {
  const { attributes } = element
  let text = attributes['value'] ?? ''
  let left = nodesOfWords
  for (let node = nextNode(element, element); node; node = nextNode(node, element)) {
    if (--left < 0 || text.length > maxTextLength) return undefined
    if (node.type === 'text') text += ` ${node.text}`
  }
  const label = lineOf(attributes['aria-label'] ?? '')
  const words = lineOf(text) || lineOf(attributes['title'] ?? '')
  const caption = label !== '' && !/^\d+$/.test(words) ? label : words
  return caption.length > maxTextLength ? undefined : caption
}

/** Whether a control is disabled, as "next" often is on the last page. */
function isOver(element: Element): boolean {
  return [element, element.parent].some((one) => {
    const { 'aria-disabled': disabled, class: names = '' } = one?.attributes ?? {}
    return disabled === 'true' || endClass.test(names) || (one === element && 'disabled' in element.attributes)
  })
}

function isNext({ element: { attributes }, words }: Control): boolean {
  return isRelNext(attributes) || nextWords.test(words)
}

function isSign({ element, words }: Control): boolean {
  const names = `${element.attributes['class'] ?? ''} ${element.parent?.attributes['class'] ?? ''}`
  return nextSign.test(words) || (nextClass.test(names) && words.length < 3)
}

function isBeside(element: Element): boolean {
  for (let at = element.parent; at; at = at.parent) if (beside.has(at.name) || at.name === 'nav') return true
  return false
}

const maxNumbers = 500

/** Returns the page number after the current one. */
function numberAfter(found: readonly Control[]): Control | undefined {
  const numbers = found.filter(({ words }) => /^\d{1,4}$/.test(words)).slice(0, maxNumbers)
  const after = (control: Control): Control | undefined => {
    const current = currentBefore(control.element)
    return current === Number(control.words) - 1 ? control : undefined
  }
  return numbers.find(after)
}

const steps = 4

/** Returns the current page number if it directly precedes this control. */
function currentBefore(control: Element): number | undefined {
  let at: Element | null = control
  for (let up = 0; up < 3 && at; up += 1, at = at.parent) {
    let before: Node | null = at.previous
    for (let left = steps; before && left > 0; before = before.previous, left -= 1) {
      const text = before.type === 'text' ? before.text.trim() : ''
      if (/^\d{1,4}$/.test(text)) return Number(text)
      // Skips separators between numbers.
      if (before.type === 'element' && /[\p{L}\p{N}]/u.test(shortTextOf(before))) return currentIn(before)
    }
  }
  return undefined
}

function shortTextOf(element: Element): string {
  let text = ''
  let left = nodesOfWords
  for (let node: Node | null = element; node && left > 0; node = nextNode(node, element), left -= 1)
    if (node.type === 'text') text += node.text
  return text
}

function currentIn(element: Element): number | undefined {
  let isCurrent = false
  let text = ''
  let left = nodesOfWords
  for (let node: Node | null = element; node && left > 0; node = nextNode(node, element), left -= 1) {
    if (node.type === 'text') text += node.text
    else isCurrent ||= isMarked(node)
  }
  return isCurrent && /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : undefined
}

/** Whether an element is marked as the current page. */
function isMarked({ name, attributes }: Element): boolean {
  const current = attributes['aria-current'] ?? attributes['aria-selected']
  if (current !== undefined && current !== 'false') return true
  return currentClass.test(attributes['class'] ?? '') || name === 'strong' || name === 'em' || name === 'b'
}
