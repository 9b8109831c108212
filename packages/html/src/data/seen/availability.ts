import type { Element } from '../../tree/tree.ts'
import { wordsOf } from '../annotations.ts'
import { afterHeading, type SeenPage, type Spot, tokensOf, type Sight } from './spots.ts'

// Whether a thing can be had: what the page writes, and whether it lets people put it into a cart.

const gone =
  /^(?:(?:currently|temporarily|sorry[,!]?(?: this (?:item|product) is)?|this (?:item|product) is(?: currently)?|momentan|zurzeit|derzeit|actuellement)\s+)?(?:out[ -]of[ -]stock|sold[ -]?out|unavailable|not available|no longer available|discontinued|ausverkauft|nicht (?:verfügbar|lieferbar|vorrätig|auf lager)|vergriffen|épuisé|rupture de stock|en rupture(?: de stock)?|indisponible|agotado|sin (?:stock|existencias)|no disponible|esgotado|indisponível|esaurito|non disponibile|uitverkocht|niet (?:op voorraad|leverbaar)|slutsåld|udsolgt|utsolgt|loppuunmyyty|wyprzedane|niedostępny|vyprodáno|нет в наличии|tükendi|stokta yok|品切れ|在庫なし|売り切れ|缺货|售罄)(?: online)?[.!]?$/i
const waiting =
  /^(?:notify me(?: when (?:it(?:'s| is) )?(?:available|back in stock))?|e-?mail me when (?:available|in stock|back)|get notified|join (?:the )?waitlist|benachrichtigen|prévenez-moi|avísame|avise-me|avvisami)[.!]?$/i
const here =
  /^(?:available |verfügbarkeit:? |availability:? |✓ |\d+\+? |only \d+ (?:left )?)*(?:in[ -]stock|auf lager|sofort lieferbar|lieferbar|vorrätig|verfügbar|en stock|disponible|disponibile|em estoque|disponível|op voorraad|på lager|i lager|varastossa|dostępny|w magazynie|skladem|в наличии|stokta(?: var)?|在庫あり|有货)(?:[.!,:(].*| online| now| -.*| \(\d+\))?$/i
const buy =
  /^(?:\+ ?)?(?:add to (?:shopping )?(?:cart|bag|basket|trolley)|add (?:item )?to (?:my )?(?:cart|bag|basket)|buy(?: it)?(?: now)?|order now|in den (?:waren|einkaufs)korb(?: legen)?|in den warenkorb|jetzt kaufen|ajouter au panier|acheter|añadir (?:al carrito|a la cesta|a la bolsa)|agregar al (?:carrito|carro)|comprar(?: ahora)?|adicionar ao carrinho|aggiungi al carrello|acquista(?: ora)?|in winkelwagen|in winkelmand|toevoegen aan winkelwagen|bestellen|lägg i (?:varukorgen?|kundvagn)|köp|læg i kurv(?:en)?|legg i handlekurv|kjøp|lisää ostoskoriin|do koszyka|dodaj do koszyka|kup teraz|do košíku|přidat do košíku|vložit do košíku|kosárba|в корзину|купить|sepete ekle|カートに入れる|加入购物车)[.!]?$/i
const elsewhere =
  /\b(?:related|recommend\w*|upsell\w*|similar|carousel|slider|swiper|slick|footer|nav|menu|card|tile|mini ?cart|swatch\w*|option|sizes?|review\w*|variant\w*)\b/

const farthest = 800
const farthestBefore = 600

/** Whether the page says or shows that its product can be had. */
export function seenAvailability(page: SeenPage): Sight | undefined {
  const near = page.spots.filter((spot) => isNear(page, spot))
  const out = near.find(({ words }) => gone.test(words) || waiting.test(words))
  const said = near.find(({ words }) => here.test(words) && !gone.test(words))
  const cart = cartOf(page)
  // Both said: of other variants, other shops, or another thing.
  if (out && (said || cart)) return undefined
  if (out) return { value: 'OutOfStock', element: out.element, confidence: 0.85 }
  if (said) return { value: 'InStock', element: said.element, confidence: 0.9 }
  return cart && { value: 'InStock', element: cart, confidence: 0.8 }
}

function isNear(page: SeenPage, spot: Spot): boolean {
  const distance = afterHeading(page, spot)
  if (distance === undefined || distance < -farthestBefore || distance > farthest) return false
  return spot.words.length <= 60 && !elsewhere.test(spot.around)
}

/** The button that puts the product into a cart, if it can be pressed. */
function cartOf(page: SeenPage): Element | undefined {
  const { elements, heading } = page
  if (heading === undefined) return undefined
  return elements
    .slice(Math.max(0, heading - farthestBefore), heading + farthest)
    .find((element) => isCart(element) && !isOff(element))
}

function isCart(element: Element): boolean {
  const { name, attributes } = element
  if (name === 'input')
    return (
      /^(?:submit|button|image)$/.test(attributes['type'] ?? '') &&
      buy.test((attributes['value'] ?? attributes['alt'] ?? '').trim())
    )
  if (
    name !== 'button' &&
    !(name === 'a' && /\b(?:btn|button|cart|buy)\b/.test(tokensOf(element))) &&
    attributes['role'] !== 'button'
  )
    return false
  const words = wordsOf(element)
  return (words.length <= 50 && buy.test(words)) || buy.test((attributes['aria-label'] ?? '').trim())
}

function isOff(element: Element): boolean {
  const { attributes } = element
  if (attributes['disabled'] !== undefined || attributes['aria-disabled'] === 'true') return true
  for (let at: Element | null = element, steps = 0; at && steps < 8; at = at.parent, steps += 1) {
    const tokens = tokensOf(at)
    if (
      /\b(?:disabled|hidden|hide|sold ?out|out of stock)\b/.test(steps === 0 ? tokens : '') ||
      elsewhereOfCart.test(tokens)
    )
      return true
    if (/display\s*:\s*none/i.test(at.attributes['style'] ?? '')) return true
  }
  return false
}

const elsewhereOfCart = /\b(?:related|recommend\w*|upsell\w*|similar|carousel|slider|swiper|slick|footer|nav)\b/
