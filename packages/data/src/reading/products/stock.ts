// Finds out whether a product is available, from a buy button or a short stock message.
import { type Element, isHidden, type Node, type SeenPage, type Sight, wordsOf } from '@harvestman/html/internal'

import { elsewhere, namesAround } from './around.ts'

/** A stock state that the page shows. */
interface SeenStock {
  readonly element: Element
  readonly words: string
  readonly state: 'InStock' | 'OutOfStock'
  /** Index among the searched elements. */
  readonly at: number
}

const any = (words: string): RegExp => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu')
const anyOf = (words: string): RegExp => new RegExp(words, 'iu')

const buys = [
  any(
    'add (?:item )?to (?:your )?(?:shopping )?(?:cart|basket|bag|trolley|order)|add|buy(?: it)? now|buy|order now|purchase|in den (?:warenkorb|einkaufswagen)|jetzt (?:kaufen|bestellen)|ajouter au panier|ajouter|acheter(?: cet article)?|aggiungi(?: al carrello)?|acquista(?: ora)?|compra(?: ahora| ora| já)?|comprar(?: ahora| agora)?|(?:añadir|agregar|adicionar) (?:al?|ao?) (?:carrito|cesta|carro|carrinho|bolsa)|adicionar|in winkel(?:wagen|mandje)|bestellen|do koszyka|dodaj do koszyka|kup teraz|do koš[ií]k[au]|koupit|kúpiť|ad[aă]ug[aă] [iî]n co[sș]|kos[aá]rba|l[aä]gg i (?:varukorg|kundvagn)\\p{L}*|köp|læg i kurv|legg i handlekurv\\p{L}*|lis[aä][aä] ostoskoriin|в корзину|купить|sepete ekle|(?:dodaj )?u košaricu',
  ),
  anyOf('カートに入れる|加入購物車|加入购物车|放入購物車|立即購買|直接購買|장바구니'),
]

const soldOut = [
  any(
    'out of stock|sold out|(?:currently|temporarily|now) (?:unavailable|out of stock)|no longer available|not (?:currently )?available|this item is unavailable|ausverkauft|(?:derzeit |momentan |zurzeit |aktuell )?nicht (?:mehr )?(?:verfügbar|lieferbar|vorrätig|auf lager)|épuisée?|(?:actuellement |temporairement )?indisponible|(?:en )?rupture de stock|agotad[oa]|sin stock|no disponible|esgotado|indispon[ií]vel|esaurito|(?:attualmente )?non disponibile|uitverkocht|niet (?:op voorraad|leverbaar|beschikbaar)|niedostępn\\p{L}*|wyprzedan\\p{L}*|brak w magazynie|vyprod[aá]n\\p{L}*|vypredan\\p{L}*|nen[ií] skladem|nie je skladom|nedostupn\\p{L}*|stoc epuizat|indisponibil|elfogyott|nincs raktáron|slutsåld|slut i lager|udsolgt|ikke på lager|utsolgt|loppu(?:unmyyty)?|нет в наличии|распродано?|tükendi|rasprodano|nije dostupno',
  ),
  anyOf('售完|缺貨|已售完|售罄|補貨中|完売|在庫切れ|품절'),
]

const there = [
  any(
    'in stock(?: online)?|available(?: now| online)?|(?:nur noch \\d+ )?auf lager|(?:sofort )?(?:lieferbar|verfügbar)|en stock|disponible|disponibile|disponibilità immediata|op voorraad|skladem|skladom|na sklad[eě]|raktáron|[iî]n stoc|på lager|i lager|varastossa|в наличии|stokta|dostępny|em stock|dispon[ií]vel|na zalihi|dostupno',
  ),
  anyOf('現貨|有貨|在庫あり'),
]

/** Maximum distance, in elements, between a button and a message about the same product. */
const besides = 15
const maxLength = { button: 40, words: 60 }
/** Number of elements before and after the heading that are searched. */
const reach = { before: 400, behind: 1_200 } as const

/**
 * Returns the stock state that the page shows near its heading, `InStock` or `OutOfStock`. `undefined` if it shows none or
 * contradictory ones.
 */
export function seenStock({ elements, heading = -1 }: SeenPage): Sight | undefined {
  const found = findStock(elements, heading)
  return found && { value: found.state, element: found.element, words: found.words, confidence: 0.9 }
}

function findStock(elements: readonly Element[], heading: number): SeenStock | undefined {
  let out: SeenStock | undefined
  let into: SeenStock | undefined
  let button: SeenStock | undefined
  let at = 0
  for (const element of elements.slice(Math.max(0, heading - reach.before), Math.max(0, heading) + reach.behind)) {
    at += 1
    const words = shortTextOf(element)
    if (words === undefined) continue
    const isButton = isPressed(element)
    const matches = (patterns: readonly RegExp[]): boolean =>
      patterns.some((pattern) => isMost(pattern.exec(words)?.[0], words))
    if (
      isButton &&
      words.length <= maxLength.button &&
      !button &&
      matches(buys) &&
      !isDisabled(element) &&
      isOwn(element)
    )
      button = { element, words, state: 'InStock', at }
    if (!out && matches(soldOut) && isOwn(element) && !isOption(element))
      out = { element, words, state: 'OutOfStock', at }
    else if (!into && !isButton && matches(there) && !matches(soldOut) && isOwn(element) && !isOption(element))
      into = { element, words, state: 'InStock', at }
  }
  // A buy button means in stock. A distant message to the contrary concerns a variant or a delivery option.
  if (button) return out && Math.abs(out.at - button.at) < besides ? undefined : (into ?? button)
  return out && into ? undefined : (out ?? into)
}

/** Returns whether the match is at least half of the string. Longer strings are sentences about something else. */
function isMost(found: string | undefined, words: string): boolean {
  return found !== undefined && found.length >= words.length * 0.5
}

function shortTextOf(element: Element): string | undefined {
  const { attributes, name } = element
  if (name === 'input')
    return /submit|button|image/i.test(attributes['type'] ?? '')
      ? (attributes['value'] ?? attributes['title'] ?? attributes['alt'])
      : undefined
  if (silent.has(name) || !isSmall(element)) return undefined
  const words = wordsOf(element) || (isPressed(element) ? (attributes['aria-label'] ?? attributes['title'] ?? '') : '')
  return words.length > 0 && words.length <= maxLength.words ? words : undefined
}

const silent = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'select',
  'option',
  'html',
  'body',
  'head',
  'title',
])

function isSmall(element: Element): boolean {
  let parts = 0
  for (let child: Node | null = element.first; child; child = child.next) {
    if (++parts > 6 || (child.type === 'text' && child.text.length > 300)) return false
  }
  return true
}

function isPressed({ name, attributes }: Element): boolean {
  return (
    name === 'button' ||
    name === 'input' ||
    attributes['role'] === 'button' ||
    (name === 'a' && /btn|button|cart|buy|basket/i.test(`${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`))
  )
}

function isDisabled({ attributes }: Element): boolean {
  return (
    attributes['disabled'] !== undefined ||
    attributes['aria-disabled'] === 'true' ||
    /\bdisabled\b/.test(attributes['class'] ?? '')
  )
}

/** Returns whether the element is visible and outside parts about other products. */
function isOwn(element: Element): boolean {
  if (namesAround(element, 9).some((names) => elsewhere.test(names))) return false
  for (let at: Element | null = element; at; at = at.parent) if (isHidden(at)) return false
  return true
}

/** Returns whether the element is about one variant, which may be sold out while others are available. */
function isOption(element: Element): boolean {
  const around = namesAround(element, 5).join('')
  return / (?:li|option|label|select|td) /.test(around) || /swatch|variant|variation|size|dropdown|option/.test(around)
}
