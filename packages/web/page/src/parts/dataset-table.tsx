import type { DatasetRow, QueryAnswer } from '@harvestman/client'
import { counted, shown, when } from '../lib/format.ts'
import { Empty } from './pieces.tsx'
import { asJson, TextActions } from './result-actions.tsx'
import { Time } from './time.tsx'

export interface DatasetTableProps {
  readonly columns: readonly string[]
  readonly rows: readonly DatasetRow[]
}

/** The rows of a dataset, each value with its previous value. */
export function DatasetTable({ columns, rows }: DatasetTableProps) {
  if (rows.length === 0) return <Empty>This dataset has no rows yet.</Empty>
  return (
    <div class="card scroller" tabIndex={0} role="region" aria-label="Rows">
      <table class="plain wide-table">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" class={classOf(rows[0]?.values[name])}>
                {shown(name)}
              </th>
            ))}
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map((name) => (
                <td key={name} class={classOf(row.values[name])}>
                  <Cell value={row.values[name]} />
                  <Before row={row} name={name} />
                </td>
              ))}
              <td class="nowrap">
                <Time at={row.changed} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The previous value of a cell. */
function Before({ row: { history }, name }: { readonly row: DatasetRow; readonly name: string }) {
  const last = history.find(({ values }) => Object.hasOwn(values, name))
  if (!last) return null
  return (
    <span class="muted before" title={`until ${when(last.until)}`}>
      was <Cell value={last.values[name]} />
    </span>
  )
}

/** The result of a query. */
export function QueryTable({ table: { columns, rows, isCut } }: { readonly table: QueryAnswer }) {
  if (rows.length === 0) return <Empty>No rows match this query.</Empty>
  const records = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
  return (
    <div class="stack">
      <div class="bar">
        <span class="small muted">{counted(rows.length, 'row')}</span>
        <span class="grow" />
        <TextActions name="query" content={asJson(records)} />
      </div>
      <div class="card scroller" tabIndex={0} role="region" aria-label="Rows">
        <table class="plain wide-table">
          <thead>
            <tr>
              {columns.map((name, at) => (
                <th key={name} scope="col" class={classOf(rows[0]?.[at])}>
                  {shown(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((value, at) => (
                  <td key={at} class={classOf(value)}>
                    <Cell value={value} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isCut && <p class="small muted">There are more rows. Add a LIMIT and an OFFSET to see them.</p>}
    </div>
  )
}

const longest = 200

/** Numbers are right-aligned. */
function classOf(value: unknown): string | undefined {
  return typeof value === 'number' ? 'number' : undefined
}

function Cell({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined) return <span class="muted">–</span>
  const text = shown(typeof value === 'string' ? value : JSON.stringify(value))
  if (text.length > longest) return <span title={text}>{text.slice(0, longest)}…</span>
  return /^https?:\/\//.test(text) ? (
    <a href={text} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  ) : (
    <>{text}</>
  )
}
