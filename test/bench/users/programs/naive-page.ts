// The script that the command replaces: prints one page as Markdown. naive-page.js <URL>
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'

const [url = ''] = process.argv.slice(2)
const { document } = parseHTML(await (await fetch(url)).text())
for (const element of document.querySelectorAll('script, style, noscript')) element.remove()
console.log(new TurndownService({ headingStyle: 'atx' }).turndown(document.body as never))
