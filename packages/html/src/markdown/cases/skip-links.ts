import { makeBase } from '../../addresses/urls.ts'
import type { Case } from './case.ts'

/** Skip links ("Skip to content"). */
export const skipLinks: readonly Case[] = [
  {
    name: 'a link to skip to the content is dropped',
    html: '<a href="#main">Skip to content</a><p>one</p>',
    markdown: 'one',
  },
  {
    name: 'a skip link may be in capitals',
    html: '<a href="#main">SKIP TO MAIN CONTENT</a><p>one</p>',
    markdown: 'one',
  },
  {
    name: 'a skip link may name the page',
    html: '<a href="https://site.test/#main">Skip to main content</a><p>one</p>',
    options: { base: makeBase('https://site.test/') },
    markdown: 'one',
  },
  {
    name: 'several skip links are dropped, and their list',
    html: '<ul><li><a href="#a">Skip to navigation</a></li><li><a href="#b">Skip to content</a></li></ul><p>one</p>',
    markdown: 'one',
  },
  {
    name: 'a skip link in German is dropped',
    html: '<a href="#main">Zum Inhalt springen</a><p>one</p>',
    markdown: 'one',
  },
  {
    name: 'a skip link in French is dropped',
    html: '<a href="#main">Aller au contenu principal</a><p>one</p>',
    markdown: 'one',
  },
  {
    name: 'a skip link in Spanish is dropped',
    html: '<a href="#main">Saltar al contenido</a><p>one</p>',
    markdown: 'one',
  },
  {
    name: 'a skip link in Portuguese is dropped',
    html: '<a href="#main">Pular para o conteúdo</a><p>one</p>',
    markdown: 'one',
  },
  {
    name: 'a skip link in Japanese is dropped',
    html: '<a href="#main">コンテンツへスキップ</a><p>one</p>',
    markdown: 'one',
  },
  {
    name: 'a skip link in Chinese is dropped',
    html: '<a href="#main">跳到主要内容</a><p>one</p>',
    markdown: 'one',
  },
  {
    name: 'a skip link in Russian is dropped',
    html: '<a href="#main">Перейти к содержанию</a><p>one</p>',
    markdown: 'one',
  },
  {
    name: 'a skip link after a logo is dropped',
    html: '<a href="/"><img src="/l.png" alt="Logo"></a><a href="#main">Skip to content</a><p>one</p>',
    markdown: ['[![Logo](/l.png)](/)', '', 'one'],
  },
  {
    name: 'a link further down the page is no skip link',
    html: '<p><a href="/1">1</a> <a href="/2">2</a> <a href="/3">3</a> <a href="/4">4</a> <a href="/5">5</a> <a href="#c">Skip to content</a></p>',
    markdown: '[1](/1) [2](/2) [3](/3) [4](/4) [5](/5) [Skip to content](#c)',
  },
  {
    name: 'a link to another page is no skip link',
    html: '<a href="/skip">Skip to content</a>',
    markdown: '[Skip to content](/skip)',
  },
  {
    name: 'a link of other words is no skip link',
    html: '<a href="#main">Skiing to the top</a>',
    markdown: '[Skiing to the top](#main)',
  },
]
