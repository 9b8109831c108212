// Finds hidden content, from the findings of a browser, or from attributes, inline styles and the page's own style sheets.
import { wordless } from '../parse/noscript.ts'
import type { Marked } from '../tree/hidden-marks.ts'
import type { Element, Node } from '../tree/tree.ts'
import { lineOf, nextNode } from '../tree/walk.ts'
import type { Style } from './cascade.ts'
import { boxReason, hasNoSize, isIndentedAway, isInvisible, shownBy, type HiddenReason } from './causes.ts'
import type { Rule } from './css.ts'
import { mayHide, type Group } from './declarations.ts'
import { Declared } from './declared.ts'
import { controlsOf, hasVisibleNeighbor, isOpenable, type Controls } from './folded.ts'
import { addEmptyLinks } from './hidden-links.ts'
import { nothingHidden, type ExplainLimits, type Hidden, type HiddenText, type KeptReason } from './hidden-text.ts'
import { Findings, shown, type Inherited } from './marks.ts'
import { isRevealedByScript, namesHiddenImage, paywallOf, type Paywall } from './revealed.ts'
import { surveyOf, type Survey } from './survey.ts'
import {
  countAlike,
  countProse,
  fewestAlike,
  foldable,
  isOnlyMath,
  kindOf,
  largeUnits,
  visibleText,
  type Unit,
} from './units.ts'

/** Maximum number of rounds. Each round searches inside the elements that the previous one classified as content. */
const maxRounds = 12
/** Maximum number of hidden elements per round whose controls are searched. */
const maxUnits = 2_000

const worthReading = /\shidden|<dialog|<style|\sstyle\s*=/i

/** How the declared styles may hide an element. */
interface Reach {
  /** Whether a declaration that can hide applies to it, other than a colour. */
  readonly isCandidate: boolean
  /** Whether any declaration that can hide, a colour included, may apply to it. */
  readonly mayApply: boolean
}

const unreached: Reach = { isCandidate: false, mayApply: false }

const ruleHides = (rule: Rule): boolean => rule.mayHide

/** A page whose hidden nodes are searched. `elements` are all below the root. */
interface HidingPage {
  readonly root: Element
  readonly elements: readonly Element[]
  readonly html: string
}

/**
 * Finds the hidden nodes of a page. `marked`: the elements that a browser does not show, if one has examined the page. Without
 * them, the page's own styles decide, and a page whose source, `html`, has nothing that could hide text is not searched.
 */
export function findHidden(page: HidingPage, marked?: Marked): Hidden {
  if (!marked && !worthReading.test(page.html)) return nothingHidden
  const search = new Search(page, marked)
  search.run()
  addEmptyLinks(search.nodes)
  return search
}

/**
 * Finds hidden nodes from the body down, then decides in rounds which of them count as content after all, and searches
 * inside those again.
 */
class Search implements Hidden {
  readonly nodes = new Set<Node>()
  /** The findings of a browser. Without them, and in frames, the style sheets are searched. */
  readonly #found: Findings | undefined
  readonly #elements: readonly Element[]
  readonly #body: Element
  #surveyed: Survey | undefined
  #declared: Declared | undefined
  readonly #units = new Map<Element, Unit>()
  /** Hidden elements that count as content, with the reason. */
  readonly #open = new Map<Element, KeptReason>()
  readonly #kept: Unit[] = []
  readonly #inherited = new Map<Element, Inherited>()
  #ignoresVisibility = false
  #controls: Controls | undefined
  #paywall: Paywall | undefined

  constructor({ root, elements }: HidingPage, marked: Marked | undefined) {
    this.#elements = elements
    this.#found = marked && new Findings(marked, this.#elements)
    this.#body = this.#elements.find(({ name }) => name === 'body') ?? root
  }

  get #survey(): Survey {
    return (this.#surveyed ??= surveyOf(this.#elements))
  }

  get #styles(): Declared {
    return (this.#declared ??= new Declared(this.#survey))
  }

  /** Whether anything on the page can hide. */
  #mayHide(): boolean {
    if (this.#found) return !this.#found.isEmpty
    return this.#styles.mayHide
  }

  run(): void {
    if (!this.#mayHide()) return
    const html = this.#body.parent
    const above = html?.name === 'html' ? this.#inherit(html, shown, this.#reachOf(html)) : shown
    this.#walk(this.#body, above)
    let total: number | undefined
    for (let round = 0; round < maxRounds && this.#units.size > 0; round++) {
      const units = [...this.#units.values()].slice(0, maxUnits)
      const opened: (readonly [Unit, KeptReason])[] = []
      const counts = countAlike(units)
      for (const unit of units) {
        const isRepeated = (counts.get(kindOf(unit)) ?? 0) >= fewestAlike
        const why = this.#whyKept(unit) ?? (isRepeated && this.#isFolded(unit) ? 'script' : undefined)
        if (why) opened.push([unit, why])
      }
      if (opened.length === 0) {
        total ??= countProse(this.#body)
        for (const unit of largeUnits(units, total)) opened.push([unit, 'share'])
      }
      if (opened.length === 0) return
      for (const [unit, why] of opened) this.#keep(unit, why)
      if (this.#ignoresVisibility) {
        for (const unit of this.#units.values()) if (unit.reason === 'visibility') this.#keep(unit, 'share')
      }
      for (const [{ element, above: inherited }] of opened) this.#walk(element, inherited)
    }
  }

  explain({ maxItems, maxText }: ExplainLimits): readonly HiddenText[] {
    const found: HiddenText[] = []
    const list = (units: Iterable<Unit>): void => {
      let count = 0
      for (const { element, reason, nodes } of units) {
        const text = lineOf(nodes.map(visibleText).join(' '))
        if (text === '') continue
        const kept = this.#open.get(element)
        found.push({ reason, ...(kept && { kept }), text: text.slice(0, maxText), length: text.length })
        if (++count === maxItems) return
      }
    }
    list(this.#units.values())
    list(this.#kept)
    return found
  }

  reasons(): ReadonlyMap<Node, HiddenReason> {
    const labels = this.#kept.filter(({ element }) => this.#open.get(element) === 'label')
    const all = [...this.#units.values(), ...labels]
    return new Map(all.flatMap(({ nodes, reason }) => nodes.map((node) => [node, reason] as const)))
  }

  closed(): ReadonlySet<Node> {
    const later = [...this.#open].flatMap(([element, why]) => (why === 'control' || why === 'script' ? [element] : []))
    return new Set([...this.nodes, ...later])
  }

  #keep(unit: Unit, why: KeptReason): void {
    // A rule such as `* { visibility: hidden }` would hide the next level again in each round.
    this.#ignoresVisibility ||= why === 'share' && unit.reason === 'visibility'
    this.#units.delete(unit.element)
    for (const node of unit.nodes) this.nodes.delete(node)
    this.#open.set(unit.element, why)
    this.#kept.push(unit)
  }

  /** Whether the element looks like one of several parts that a script opens, such as the answers of an FAQ. */
  #isFolded({ element, reason }: Unit): boolean {
    return !this.#open.has(element) && (reason === 'opacity' || hasVisibleNeighbor(element, this.nodes))
  }

  #whyKept({ element, reason }: Unit): KeptReason | undefined {
    if (this.#open.has(element)) return undefined
    this.#paywall ??= paywallOf(this.#survey.scripts)
    if (this.#paywall(element)) return 'paywall'
    const mark = this.#found?.of(element)
    const style = (): Style => this.#styles.sheets.styleOf(element, 'reveal')
    if (namesHiddenImage(element, reason, style, this.nodes, mark?.hasPicture)) return 'label'
    if (!foldable.has(reason)) return undefined
    if (mark?.isRevealed || isRevealedByScript(element, reason, style)) return 'script'
    const property = shownBy[reason]
    const ofSheets = property === undefined ? undefined : this.#styles.sheets.revealOf(element, property)
    const reveal = mark?.state === 'pointer' ? mark.state : (ofSheets ?? mark?.state)
    this.#controls ??= controlsOf(this.#elements, this.#survey.withId)
    return isOpenable(element, this.#controls, this.nodes, reveal) ? 'control' : undefined
  }

  /** Adds the hidden nodes below an element to `nodes` and `#units`. */
  #walk(from: Element, start: Inherited): void {
    let node: Node | null = from
    while (node) {
      const above: Inherited = node === from ? start : (this.#inherited.get(node.parent!) ?? shown)
      let skip = false
      if (node.type === 'text') this.#visitText(node, above)
      else if (wordless.has(node.name)) skip = true
      else skip = this.#visitElement(node, above)
      node = nextNode(node, from, skip)
    }
  }

  #visitText(node: Node & { readonly type: 'text' }, above: Inherited): void {
    if (above === shown || this.nodes.has(node) || !/\S/.test(node.text)) return
    if (above.visibility) this.#hide(above.visibility, 'visibility', node)
    else if (above.size) this.#hide(above.size, 'font-size', node)
    else if (above.indent) this.#hide(above.indent, 'indent', node)
    else if (above.color) this.#hide(above.color, 'color', node)
  }

  #visitElement(element: Element, above: Inherited): boolean {
    const reach = this.#reachOf(element)
    const reason = this.#open.has(element) ? undefined : this.#reasonOf(element, reach)
    if (reason) {
      if (!isOnlyMath(element)) this.#hide(element, reason, element, above)
      return true
    }
    // Most elements neither inherit nor declare a cause.
    const isPlain = above === shown && reach === unreached && !this.#found
    const own = isPlain ? shown : this.#inherit(element, above, reach)
    if (own !== shown) this.#inherited.set(element, own)
    else if (this.#inherited.size > 0) this.#inherited.delete(element)
    if (own.visibility && element.name === 'img') this.#hide(own.visibility, 'visibility', element)
    return false
  }

  #hide(element: Element, reason: HiddenReason, node: Node, above = shown): void {
    let unit = this.#units.get(element)
    if (!unit) {
      const outer = node === element ? above : (this.#inherited.get(element.parent!) ?? shown)
      this.#units.set(element, (unit = { element, reason, nodes: [], above: outer }))
    }
    if (this.nodes.has(node)) return
    unit.nodes.push(node)
    this.nodes.add(node)
  }

  /** Returns how the declared styles may hide the element. If they cannot, its full style is not computed. */
  #reachOf(element: Element): Reach {
    if (this.#found?.covers(element) || !this.#styles.mayApply(element)) return unreached
    const { style } = element.attributes
    const isCandidate = (style !== undefined && mayHide(style)) || this.#styles.sheets.applies(ruleHides, element)
    return { isCandidate, mayApply: true }
  }

  #reasonOf(element: Element, { isCandidate }: Reach): HiddenReason | undefined {
    const { attributes, name } = element
    if (this.#found?.covers(element)) return this.#found.boxReason(element)
    if (name === 'dialog' && attributes['open'] === undefined) return 'dialog'
    const isHidden = attributes['hidden'] !== undefined && attributes['hidden'] !== 'until-found'
    if (!isHidden && !isCandidate) return undefined
    let reason: HiddenReason | undefined
    let last: Style | undefined
    for (let screen = 0; screen < this.#styles.screens; screen++) {
      const style = this.#styles.sheets.styleOf(element, 'box', screen)
      if (style === last) continue
      reason = isHidden && !style.has('display') ? 'display' : boxReason(style)
      if (!reason) return undefined
      last = style
    }
    return reason
  }

  #inherit(element: Element, above: Inherited, { isCandidate, mayApply }: Reach): Inherited {
    if (this.#found?.covers(element)) {
      const own = this.#found.inherit(element, above, this.#open.has(element))
      return own.visibility && this.#ignoresVisibility ? shown : own
    }
    // Read here, as it does not matter for elements that are hidden anyway.
    const mayHaveColor = mayApply && this.#styles.colors.mayHide(element)
    if (above === shown && !mayHaveColor && !isCandidate) return above
    const isOpen = this.#open.has(element)
    const next = (group: Group, known: Element | undefined, hides: (style: Style) => boolean | undefined) => {
      if (known ? !this.#styles.sheets.declares(element, group) : !isCandidate) return isOpen ? undefined : known
      let all = true
      for (let screen = 0; screen < this.#styles.screens; screen++) {
        const own = hides(this.#styles.sheets.styleOf(element, group, screen))
        if (own === false) return undefined
        all &&= own === true
      }
      return isOpen ? undefined : all ? (known ?? element) : known
    }
    const visibility = this.#ignoresVisibility ? undefined : next('visibility', above.visibility, isInvisible)
    const size = next('font-size', above.size, hasNoSize)
    const indent = next('indent', above.indent, (style) =>
      style.has('text-indent') ? isIndentedAway(style) : undefined,
    )
    const isColored = mayHaveColor || above.color ? this.#styles.colors.isHidden(element) : false
    if (!visibility && !size && !indent && !isColored) return shown
    return { visibility, size, indent, color: isColored ? (above.color ?? element) : undefined }
  }
}
