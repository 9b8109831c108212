import type { Token, Tokens } from 'marked'
import { h, type ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { addressIn } from '../lib/address.ts'
import { decodeEntities } from '../lib/entities.ts'
import { shown } from '../lib/format.ts'
import { readHtmlTable, type TableNode } from '../lib/html-table.ts'
import workerUrl from '../lib/markdown-worker.ts?worker&url'
import { Code } from './pieces.tsx'

const timeout = 10_000
const most = 2_000_000
const blocksInSection = 50

/** The content security policy allows workers only through this Trusted Types policy. */
const workerPolicy = (
  globalThis as {
    readonly trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(url: string): string },
      ): { createScriptURL(url: string): string }
    }
  }
).trustedTypes?.createPolicy('hm-worker', { createScriptURL: (url) => url })

function makeWorker(): Worker {
  const url = addressIn(workerUrl, import.meta.url)?.href ?? workerUrl
  return new Worker(workerPolicy?.createScriptURL(url) ?? url, { type: 'module' })
}

/** Renders Markdown without HTML: each token becomes an element. */
export function Markdown({ text }: { readonly text: string }) {
  const [tokens, setTokens] = useState<readonly Token[] | 'source' | undefined>()
  useEffect(() => {
    setTokens(undefined)
    if (text.length > most) return setTokens('source')
    const worker = makeWorker()
    const timer = setTimeout(() => {
      worker.terminate()
      setTokens('source')
    }, timeout)
    worker.addEventListener('message', ({ data }: MessageEvent<readonly Token[]>) => {
      clearTimeout(timer)
      setTokens(data)
      worker.terminate()
    })
    worker.addEventListener('error', () => setTokens('source'))
    worker.postMessage(text)
    return () => {
      clearTimeout(timer)
      worker.terminate()
    }
  }, [text])
  if (text.trim() === '') return <p class="muted">The page gave no text.</p>
  if (tokens === undefined) return <p class="muted">Reading…</p>
  if (tokens === 'source') return <Code text={text} name="Markdown" />
  const sections: Token[][] = []
  for (let at = 0; at < tokens.length; at += blocksInSection) sections.push(tokens.slice(at, at + blocksInSection))
  return (
    <article class="prose">
      {sections.map((section, index) => (
        <section key={index}>{section.map(block)}</section>
      ))}
    </article>
  )
}

function block(token: Token, key: number): ComponentChildren {
  switch (token.type) {
    case 'heading': {
      // The page already has an `h1`.
      const Rank = `h${Math.min(6, (token as Tokens.Heading).depth + 1)}` as 'h2'
      return <Rank key={key}>{inlines(token)}</Rank>
    }
    case 'paragraph':
      return <p key={key}>{inlines(token)}</p>
    case 'code':
      return (
        <pre key={key} tabIndex={0}>
          <code>{shown((token as Tokens.Code).text)}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote key={key}>{(token as Tokens.Blockquote).tokens.map(block)}</blockquote>
    case 'list':
      return list(token as Tokens.List, key)
    case 'table':
      return table(token as Tokens.Table, key)
    case 'html': {
      const found = readHtmlTable(token.raw)
      return found ? tableNode(found, key) : <p key={key}>{inlines(token)}</p>
    }
    case 'hr':
      return <hr key={key} />
    case 'space':
    case 'def':
      return null
    default:
      return <p key={key}>{inlines(token)}</p>
  }
}

function list(token: Tokens.List, key: number): ComponentChildren {
  const items = token.items.map((item, index) => (
    <li key={index}>
      {item.task && (
        <input
          type="checkbox"
          checked={item.checked === true}
          disabled
          aria-label={item.checked ? 'done' : 'not done'}
        />
      )}
      {item.tokens.map(block)}
    </li>
  ))
  return token.ordered ? (
    <ol key={key} start={Number(token.start) || 1}>
      {items}
    </ol>
  ) : (
    <ul key={key}>{items}</ul>
  )
}

function table({ header, rows }: Tokens.Table, key: number): ComponentChildren {
  return (
    <table key={key} tabIndex={0}>
      <thead>
        <tr>
          {header.map((cell, index) => (
            <th key={index}>{cell.tokens.map(inline)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, index) => (
              <td key={index}>{cell.tokens.map(inline)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function inlines(token: Token): ComponentChildren {
  const { tokens } = token as { readonly tokens?: readonly Token[] }
  return tokens ? tokens.map(inline) : shown((token as Tokens.Text).text ?? token.raw)
}

/** Renders a node of a table that is written as HTML. */
function tableNode(node: TableNode, key: number): ComponentChildren {
  if (typeof node === 'string') return node.trim() === '' && node.includes('\n') ? null : shown(node)
  const { name, children } = node
  const { href, ...attributes } = node.attributes
  const inside = children.map(tableNode)
  if (name === 'a') return anchor(href ?? '', inside, key)
  if (name === 'table')
    return (
      <table key={key} tabIndex={0}>
        <tbody>{inside}</tbody>
      </table>
    )
  return h(name, { key, ...attributes }, name === 'br' ? undefined : inside)
}

function inline(token: Token, key: number): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong key={key}>{inlines(token)}</strong>
    case 'em':
      return <em key={key}>{inlines(token)}</em>
    case 'del':
      return <del key={key}>{inlines(token)}</del>
    case 'codespan':
      return <code key={key}>{shown((token as Tokens.Codespan).text)}</code>
    case 'br':
      return <br key={key} />
    case 'link':
      return anchor((token as Tokens.Link).href, inlines(token), key)
    case 'image': {
      // Images are not loaded, so that the page sends no request without a user action.
      const { text, href } = token as Tokens.Image
      return anchor(href, shown(decodeEntities(`Picture: ${text || 'without words'}`)), key)
    }
    default:
      return 'tokens' in token && token.tokens ? <span key={key}>{token.tokens.map(inline)}</span> : plain(token)
  }
}

function plain(token: Token): string {
  const text = (token as Tokens.Text).text ?? token.raw
  return shown(decodeEntities(text))
}

function anchor(href: string, inside: ComponentChildren, key: number): ComponentChildren {
  if (!/^(https?:|mailto:)/i.test(href)) return <span key={key}>{inside}</span>
  return (
    <a key={key} href={href} target="_blank" rel="noopener noreferrer">
      {inside}
    </a>
  )
}
