import type { Element } from '../tree/tree.ts'
import { shownText } from './look.ts'

/** Only the first links of a page can be skip links. */
const lastPlace = 5

/** Beginnings of skip links, in lower case. */
const phrases: readonly string[] = [
  'skip to',
  'skip navigation',
  'skip nav',
  'skip main',
  'jump to content',
  'jump to main',
  'jump to navigation',
  'go to content',
  'go to main content',
  'zum inhalt',
  'zum hauptinhalt',
  'direkt zum inhalt',
  'springe zum',
  'weiter zum inhalt',
  'zur navigation',
  'aller au contenu',
  'aller directement au contenu',
  'passer au contenu',
  'accéder au contenu',
  'saltar al contenido',
  'ir al contenido',
  'pasar al contenido',
  'saltar a contenido',
  'vés al contingut',
  'pular para o conteúdo',
  'ir para o conteúdo',
  'saltar para o conteúdo',
  'avançar para o conteúdo',
  'vai al contenuto',
  'salta al contenuto',
  'passa al contenuto',
  'ga naar de inhoud',
  'ga naar inhoud',
  'ga naar hoofdinhoud',
  'naar de inhoud',
  'spring naar',
  'hoppa till innehåll',
  'hoppa till huvudinnehåll',
  'gå til indhold',
  'spring til indhold',
  'hopp til innhold',
  'gå til innhold',
  'siirry sisältöön',
  'hyppää sisältöön',
  'przejdź do treści',
  'przejdź do głównej',
  'přeskočit na obsah',
  'přejít k obsahu',
  'preskočiť na obsah',
  'ugrás a tartalom',
  'salt la conținut',
  'sari la conținut',
  'içeriğe geç',
  'içeriğe atla',
  'μετάβαση στο περιεχόμενο',
  'перейти к содержан',
  'перейти к основному',
  'перейти к контенту',
  'перейти до вмісту',
  'コンテンツへスキップ',
  'コンテンツにスキップ',
  '本文へスキップ',
  '本文へ移動',
  'メインコンテンツ',
  '跳到主要内容',
  '跳至主要内容',
  '跳到内容',
  '跳至内容',
  '跳转到主要内容',
  '跳到主要內容',
  '跳至主要內容',
  '跳至內容',
  '본문으로 바로가기',
  '본문 바로가기',
  '콘텐츠로 건너뛰기',
  '콘텐츠로 바로가기',
  'تخطي إلى المحتوى',
  'التجاوز إلى المحتوى',
  'دילוג לתוכן',
  'דלג לתוכן',
]

/**
 * Returns whether this is a "Skip to content" link: one of the first 5 links of the page, with a fragment and a text that
 * starts with a known phrase. `place` is the number of the link on the page, from 1.
 */
export function isSkipLink(link: Element, href: string, place: number): boolean {
  if (place > lastPlace || !href.includes('#')) return false
  const text = shownText(link).trim().toLowerCase().replace(/\s+/g, ' ')
  return text.length < 60 && phrases.some((phrase) => text.startsWith(phrase))
}
