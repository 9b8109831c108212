// Reads the total number of items that a page states.
import { type Element, lineOf, nextNode, textOf } from '@harvestman/html/internal'

const nouns =
  'results?|items?|products?|entries|articles?|Ergebnisse|Treffer|Artikel|Produkte|résultats?|produits?|resultados?|productos?|produtos?|risultati|prodotti|resultaten|producten|resultat|wyników|sonuç|результатов|товаров'
const number = String.raw`(\d{1,3}(?:[.,'\u00A0\u202F ]\d{3})+|\d{1,9})(?![\d.,]\d)`
const range = new RegExp(
  String.raw`\d\s*(?:[-–—]|to|bis|à|al?|até|tot)\s*\d[\d.,]*\s+(?:of|von|sur|de|di|van|av|af|z|из|/)\s+(?:(?:about|over)\s+)?${number}`,
  'iu',
)
const counted = new RegExp(String.raw`(?<![\d.,-])${number}\s+(?:${nouns})(?!\p{L})`, 'iu')
const small = new Set(['p', 'span', 'div', 'strong', 'h1', 'h2', 'h3', 'output', 'caption', 'small'])
const maxNodes = 100_000
const maxLength = 120

/**
 * Returns the total number of items that the page states outside the rows; `undefined` if it states none. The total of a range,
 * such as "1–20 of 345", takes precedence over the first count, such as "345 results".
 */
export function totalOf(root: Element, rows: ReadonlySet<Element>): number | undefined {
  let node = nextNode(root, root)
  let total: number | undefined
  for (let left = maxNodes; node && left > 0; left -= 1) {
    const isRow = node.type === 'element' && rows.has(node)
    if (node.type === 'element' && !isRow && small.has(node.name) && isShort(node)) {
      const words = lineOf(textOf(node))
      const ofRange = range.exec(words)?.[1]
      if (ofRange !== undefined) return toCount(ofRange)
      total ??= toCount(counted.exec(words)?.[1])
    }
    node = nextNode(node, root, isRow)
  }
  return total
}

function isShort(element: Element): boolean {
  let length = 0
  let left = 12
  for (let node = nextNode(element, element); node; node = nextNode(node, element)) {
    if (--left < 0) return false
    if (node.type === 'text') length += node.text.length
    if (length > maxLength) return false
  }
  return true
}

function toCount(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits.replaceAll(/\D/g, ''))
}
