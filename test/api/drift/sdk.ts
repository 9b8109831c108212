// Reads what an SDK package calls and declares: routes from its JavaScript, fields from its declarations.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import ts from 'typescript'

import { addField, emptyShape, merge, type Body, type Contract, type Field, type Route, type Shape } from './shape.ts'

/** Options that the SDK uses itself and does not send in a body or query. */
const ownOptions = new Set([
  'autoPaginate',
  'autoResume',
  'idempotencyKey',
  'maxPages',
  'maxResults',
  'maxWaitTime',
  'pollInterval',
])

/** Sent as the fields that it has. */
const spreadOption = 'options'

const verbs: Readonly<Record<string, string>> = {
  get: 'GET',
  getRequest: 'GET',
  post: 'POST',
  postMultipart: 'POST',
  postRequest: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deleteRequest: 'DELETE',
}

interface Call {
  readonly route: string
  readonly at: string
}

/** Reads the package in a folder. */
export function readSdk(folder: string): Contract {
  const { module, types } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly module?: string
    readonly types?: string
  }
  const script = join(folder, module ?? './dist/index.js')
  const code = readScript(script)
  const declared = readDeclarations(join(folder, types ?? './dist/index.d.ts'))
  const routes = new Map<string, { name: string; at: string; requests: Body[]; responses: Shape[] }>()
  for (const { route, at } of code.calls)
    if (!routes.has(route)) routes.set(route, { name: route, at, requests: [], responses: [] })
  for (const { owner, name, calls } of code.methods) {
    const names = new Set(calls.map(({ route }) => route))
    const method = declared(owner, name)
    if (!method) continue
    // A method that waits for a job sends its options with the first request only, and returns the last response.
    const sent = [...names].filter((route) => names.size === 1 || !route.startsWith('GET '))
    const [only = ''] = sent
    if (sent.length === 1) routes.get(only)?.requests.push(...method.parameters)
    if (names.size === 1) routes.get(only)?.responses.push(...method.results)
  }
  return { routes: routes satisfies ReadonlyMap<string, Route>, codes: code.codes }
}

/** Finds the HTTP calls of each function, and which method of a class makes which. */
function readScript(path: string) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const at = (node: ts.Node) => placeOf(source, node)
  const functions = new Map<string, ts.FunctionDeclaration>()
  const classes = new Map<string, ts.ClassLikeDeclaration>()
  const values = new Map<string, ts.Expression>()
  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name) functions.set(statement.name.text, statement)
    if (ts.isClassDeclaration(statement) && statement.name) classes.set(statement.name.text, statement)
    if (!ts.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(name) || !initializer) continue
      if (ts.isClassExpression(initializer)) classes.set(name.text, initializer)
      else values.set(name.text, initializer)
    }
  }

  const callsIn = (body: ts.Node): readonly Call[] => {
    const locals = new Map(values)
    const calls: Call[] = []
    walk(body, (node) => {
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
        locals.set(node.name.text, node.initializer)
    })
    walk(body, (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
      const verb = verbs[node.expression.name.text]
      const [first] = node.arguments
      const text = verb === undefined || !first ? undefined : pathOf(first, locals)
      const path = /\/v\d[^?]*/.exec(text ?? '')?.[0].replace(/\/$/, '')
      if (path !== undefined) calls.push({ route: `${String(verb)} ${path}`, at: at(node) })
    })
    return calls
  }

  const ofFunctions = new Map([...functions].map(([name, node]) => [name, callsIn(node)] as const))
  const methods = [...classes].flatMap(([owner, { members }]) =>
    members.filter(ts.isMethodDeclaration).map((member) => {
      const calls = [...callsIn(member)]
      walk(member, (node) => {
        if (ts.isCallExpression(node) && ts.isIdentifier(node.expression))
          calls.push(...(ofFunctions.get(node.expression.text) ?? []))
      })
      return { owner, name: member.name.getText(source), calls, member }
    }),
  )
  const own = new Map(methods.map(({ owner, name, calls }) => [`${owner}.${name}`, [...calls]] as const))
  for (const { owner, calls, member } of methods)
    walk(member, (node) => {
      if (!ts.isPropertyAccessExpression(node) || node.expression.kind !== ts.SyntaxKind.ThisKeyword) return
      calls.push(...(own.get(`${owner}.${node.name.text}`) ?? []))
    })
  const codes = new Map<string, string>()
  walk(source, (node) => {
    if (!ts.isBinaryExpression(node) || !/\bcode$/.test(node.left.getText(source))) return
    if (ts.isStringLiteral(node.right) && /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/.test(node.right.text))
      codes.set(node.right.text, at(node))
  })
  return { calls: [...[...ofFunctions.values()].flat(), ...methods.flatMap(({ calls }) => calls)], methods, codes }
}

/** Returns the path that an expression has, with `{}` where a value is inserted. */
function pathOf(node: ts.Expression, locals: ReadonlyMap<string, ts.Expression>, depth = 0): string | undefined {
  if (depth > 8) return undefined
  const next = (part: ts.Expression) => pathOf(part, locals, depth + 1)
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce((text, { expression, literal }) => {
      const known = next(expression)
      const value = known?.startsWith('/v') ? known : text.endsWith('/') ? '{}' : ''
      return text + value + literal.text
    }, node.head.text)
  if (ts.isBinaryExpression(node))
    return node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
      ? (next(node.right) ?? next(node.left))
      : (next(node.left) ?? '') + (next(node.right) ?? '')
  if (ts.isIdentifier(node)) {
    const value = locals.get(node.text)
    return value && next(value)
  }
  if (ts.isParenthesizedExpression(node) || ts.isPropertyAccessExpression(node)) return next(node.expression)
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const [first] = node.arguments ?? []
    return first && next(first)
  }
  return undefined
}

/** Returns a function that finds the parameters and results of a method, as shapes. */
function readDeclarations(path: string) {
  const program = ts.createProgram([path], {
    noResolve: true,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    types: [],
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(path)
  if (!source) throw new Error(`${path} is missing. Give the folder of a package that has declarations.`)
  const placeOfSymbol = (symbol: ts.Symbol | undefined) => {
    const node = symbol?.declarations?.[0]
    return node ? placeOf(node.getSourceFile(), node) : basename(path)
  }

  const shapeOf = (type: ts.Type, at: string, within: readonly ts.Type[] = []): Shape => {
    const shape = emptyShape()
    const { flags } = type
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return anything()
    if (type.symbol?.name === 'Date') {
      shape.kinds.add('string')
      return shape
    }
    if (flags & ts.TypeFlags.Undefined || flags & ts.TypeFlags.Void || flags & ts.TypeFlags.Never) return shape
    if (flags & (ts.TypeFlags.TypeParameter | ts.TypeFlags.Conditional)) {
      const base = checker.getBaseConstraintOfType(type)
      return base && base !== type ? shapeOf(base, at, within) : anything()
    }
    if (within.length > 12 || within.includes(type)) return anything()
    if (type.isUnion()) for (const part of type.types) merge(shape, shapeOf(part, at, within))
    else if (type.isStringLiteral()) shape.values.set(type.value, at)
    else if (flags & ts.TypeFlags.StringLike) shape.kinds.add('string')
    else if (flags & ts.TypeFlags.NumberLike) shape.kinds.add('number')
    else if (flags & ts.TypeFlags.BooleanLike) shape.kinds.add('boolean')
    else if (flags & ts.TypeFlags.Null) shape.kinds.add('null')
    else if (checker.isArrayLikeType(type)) {
      shape.kinds.add('array')
      const items = emptyShape()
      for (const part of checker.getTypeArguments(type as ts.TypeReference))
        merge(items, shapeOf(part, at, [...within, type]))
      shape.items = items
    } else if (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) readObject(type, shape, within)
    else return anything()
    return shape
  }

  const readObject = (type: ts.Type, shape: Shape, within: readonly ts.Type[]) => {
    shape.kinds.add('object')
    shape.isOpen ||= checker.getIndexInfosOfType(type).length > 0
    for (const property of checker.getPropertiesOfType(type)) {
      if (ownOptions.has(property.name)) continue
      const at = placeOfSymbol(property)
      const value = checker.getTypeOfSymbol(property)
      if (value.getCallSignatures().length === 0)
        addField(shape, property.name, { shape: shapeOf(value, at, [...within, type]), at })
    }
  }

  return (owner: string, name: string) => {
    const declaration = source.statements.filter(ts.isClassDeclaration).find((one) => one.name?.text === owner)
    const members = declaration?.members.filter(
      (member): member is ts.MethodDeclaration => ts.isMethodDeclaration(member) && member.name.getText() === name,
    )
    if (!members || members.length === 0) return undefined
    const parameters = members.flatMap((member) =>
      member.parameters.map((parameter) => ({
        name: parameter.name.getText(source),
        shape: spread(shapeOf(checker.getTypeAtLocation(parameter), placeOf(source, parameter))),
      })),
    )
    const results = members.flatMap((member) => {
      const signature = checker.getSignatureFromDeclaration(member)
      const promised = signature && checker.getAwaitedType(checker.getReturnTypeOfSignature(signature))
      // Watchers are objects of the client.
      return promised && !promised.isClass() ? [shapeOf(promised, placeOf(source, member))] : []
    })
    return { parameters: parameters.filter(({ shape }) => shape.fields.size > 0), results: results.filter(hasFields) }
  }
}

/** Moves the fields of an option that is sent as its fields. */
function spread(shape: Shape): Shape {
  const options = shape.fields.get(spreadOption)?.shape.fields ?? new Map<string, Field>()
  shape.fields.delete(spreadOption)
  for (const [name, field] of options) addField(shape, name, field)
  return shape
}

function hasFields({ fields, items }: Shape): boolean {
  return fields.size > 0 || (items?.fields.size ?? 0) > 0
}

function anything(): Shape {
  const shape = emptyShape()
  shape.kinds.add('any')
  return shape
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => {
    walk(child, visit)
  })
}

function placeOf(source: ts.SourceFile, node: ts.Node): string {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
  return `${basename(source.fileName)}:${String(line + 1)}`
}
