import type { Executed } from '@harvestman/client'
import { useRef, useState } from 'preact/hooks'

import { client, refusalOf, type Refusal } from '../lib/api.ts'
import { languages, type Language } from '../lib/code.ts'
import { faultLine } from '../lib/fault-line.ts'
import { duration, shown } from '../lib/format.ts'
import { useAnswer } from '../lib/poll.ts'
import { say } from '../lib/say.ts'
import { Choice } from './choice.tsx'
import { Notice } from './notice.tsx'
import { Code } from './pieces.tsx'

const beginnings: Readonly<Record<Language, string>> = {
  node: `await page.goto('https://example.com')\nconsole.log(page.url())\nawait page.title()\n`,
  python: `await page.goto('https://example.com')\nprint(page.url)\nawait page.title()\n`,
  bash: `open https://example.com\nsnapshot -i\n`,
}
const times = { 30: 'At most 30 s', 120: 'At most 2 min', 300: 'At most 5 min' }

interface Done {
  readonly ran: Executed
  readonly language: Language
  readonly ms: number
}

/** A code editor next to the live view, for the languages that the server runs. */
export function SessionCode({ session }: { readonly session: string }) {
  const { answer, refusal } = useAnswer((signal) => client.browsers.get(session, { signal }), [session])
  const offered = answer && (answer.languages ?? [])
  const [first] = offered ?? []
  if (refusal) return <Notice refusal={refusal} />
  if (!offered) return null
  if (first !== undefined) return <CodePane session={session} offered={offered} first={first} />
  return (
    <section class="stack pad session-code" aria-label="Code">
      <h3>This server runs no code</h3>
      <p class="muted">
        To run code in this browser, its operator sets <code>HARVESTMAN_SANDBOX</code> and runs{' '}
        <code>harvestman doctor</code>. You can still take control, or connect a program.
      </p>
    </section>
  )
}

interface CodePaneProps {
  readonly session: string
  readonly offered: readonly Language[]
  readonly first: Language
}

/** An editor, and the output of its code in the browser. */
function CodePane({ session, offered, first }: CodePaneProps) {
  const [language, setLanguage] = useState(first)
  const [texts, setTexts] = useState(beginnings)
  const [timeout, setTimeout] = useState('30')
  const [done, setDone] = useState<Done | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [running, setRunning] = useState<AbortController | undefined>()
  const text = texts[language]
  const run = async (): Promise<void> => {
    if (running || text.trim() === '') return
    const stop = new AbortController()
    const since = performance.now()
    setRunning(stop)
    setRefusal(undefined)
    setDone(undefined)
    try {
      const asked = { code: text, language, timeout: Number(timeout) }
      const ran = await client.browsers.execute(session, asked, { signal: stop.signal })
      setDone({ ran, language, ms: performance.now() - since })
      say(ran.success ? 'The code has run' : 'The code failed')
    } catch (error) {
      if (!stop.signal.aborted) setRefusal(refusalOf(error))
    }
    setRunning(undefined)
  }
  const line = done && done.language === language ? faultLine(language, done.ran, text) : undefined
  return (
    <section class="stack pad session-code" aria-label="Code">
      <div class="bar">
        <Choice
          label="Language"
          names={namesOf(offered)}
          value={language}
          choose={(next) => setLanguage(next as Language)}
        />
        <Choice label="Time" names={times} value={timeout} choose={setTimeout} />
        <span class="grow" />
        {running ? (
          <button type="button" onClick={() => running.abort()}>
            Cancel
          </button>
        ) : (
          <button type="button" class="primary" title="Ctrl Enter" onClick={() => void run()}>
            Run
          </button>
        )}
      </div>
      <Editor
        text={text}
        line={line}
        change={(next) => setTexts({ ...texts, [language]: next })}
        run={() => void run()}
      />
      {running && <p class="small muted">Running…</p>}
      {refusal && <Notice refusal={refusal} />}
      {done && <Output {...done} line={line} />}
    </section>
  )
}

function namesOf(offered: readonly Language[]): Readonly<Record<string, string>> {
  return Object.fromEntries(offered.map((one) => [one, languages[one]]))
}

interface EditorProps {
  readonly text: string
  /** The line at which the code failed. */
  readonly line: number | undefined
  readonly change: (text: string) => void
  readonly run: () => void
}

function Editor({ text, line, change, run }: EditorProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const lines = text.split('\n')
  const show = (): void => {
    if (line === undefined) return
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0)
    field.current?.focus()
    field.current?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  }
  return (
    <div class="stack">
      <div class="editor">
        <div class="numbers" aria-hidden="true">
          {lines.map((_, index) => (
            <div key={index} class={index + 1 === line ? 'fault' : undefined}>
              {index + 1 === line ? `✕ ${index + 1}` : index + 1}
            </div>
          ))}
        </div>
        <textarea
          ref={field}
          aria-label="Code to run in this browser"
          {...(line !== undefined && { 'aria-invalid': 'true', 'aria-describedby': 'code-fault' })}
          rows={Math.max(8, lines.length)}
          wrap="off"
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          value={text}
          onInput={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            event.stopPropagation()
            run()
          }}
        />
      </div>
      {line !== undefined && (
        <p class="small error" id="code-fault">
          It stopped at line {line}.{' '}
          <button type="button" class="small" onClick={show}>
            Show line {line}
          </button>
        </p>
      )}
    </div>
  )
}

function Output({ ran, ms }: Done & Pick<EditorProps, 'line'>) {
  const { success, stdout, stderr, result, exitCode, killed, truncated, error } = ran
  return (
    <div class="stack" role="group" aria-label="Output">
      <p>
        <span class={`sign ${success ? 'ok' : 'broken'}`} aria-hidden="true">
          {success ? '✓' : '✕'}
        </span>{' '}
        {success ? 'Done' : killed ? 'Ended, as its time was up,' : `Failed with ${exitCode}`} after {duration(ms)}
        {truncated ? '. A part of the output was left out' : ''}
      </p>
      {!success && error && stderr === '' && <p class="error break">{shown(error)}</p>}
      <Stream name="Result" text={result ?? ''} />
      <Stream name="Printed" text={stdout} />
      <Stream name="Errors" text={stderr} />
    </div>
  )
}

function Stream({ name, text }: { readonly name: string; readonly text: string }) {
  if (text === '') return null
  return (
    <div>
      <h3 class="small muted">{name}</h3>
      <Code text={text} name={name.toLowerCase()} />
    </div>
  )
}
