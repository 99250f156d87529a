import { parseSync, Visitor, type ESTree } from 'vite'

// How a line of code may be broken the way people break it: a condition left out, two columns swapped, a comparison turned, an
// entry forgotten, a bound off by one. Each breaks one place; most still compile.

export interface Mutation {
  /** What was done, for example "dropped .where()". */
  name: string
  line: number
  start: number
  end: number
  replacement: string
}

/** Links of a chain that only choose, order or bound: what is left without them still runs. */
const CHOOSING =
  /^(where|whereRef|and\w*|on|onRef|orderBy|limit|offset|distinct|filter|toSorted|sort|slice|trim|toLowerCase|forUpdate)$/
const TURNED: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}
/** What says nothing of what the product does. */
const SAYING = /^(ctx\.|this\.#?)?(log|console)\.|\.unref\(\)$|^assert/
/** Looks, which tests of pixels would have to see. */
const LOOKS =
  /^(className|style|styles|size|gap|[mp][trblxy]?|[wh]|maw|miw|mah|mih|fz|fw|c|bg|radius|color|variant|order|zIndex|cols|span|strokeWidth|width|height|position|withArrow|transitionProps|comboboxProps)$/

/** Every way to break this file, in the order of its lines. @throws Error for a file that cannot be read */
export function mutationsOf(fileName: string, text: string): Mutation[] {
  const { program, errors } = parseSync(fileName, text)
  if (errors.length > 0) throw new Error(`${fileName} cannot be read: ${errors[0]?.message}`)
  const found: Mutation[] = []
  const lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
  const add = (name: string, { start, end }: Span, replacement: string): void => {
    const line = lineStarts.findLastIndex((at) => at <= start) + 1
    if (text.slice(start, end) !== replacement) found.push({ name, line, start, end, replacement })
  }
  const source = ({ start, end }: Span) => text.slice(start, end)
  const passedOver = unmeant(program, source)

  new Visitor({
    CallExpression: (node) => dropLink(node, source, add),
    BinaryExpression: (node) => turnOperator(node, text, add),
    LogicalExpression: (node) => turnOperator(node, text, add),
    IfStatement: ({ test }) => add('turned a condition', test, `!(${source(test)})`),
    ConditionalExpression: ({ consequent, alternate }) =>
      add(
        'swapped the outcomes',
        { start: consequent.start, end: alternate.end },
        `${source(alternate)} : ${source(consequent)}`,
      ),
    ExpressionStatement: (node) => dropStatement(node, add),
    AwaitExpression: (node) => add('dropped await', node, source(node.argument)),
    ArrayExpression: ({ elements }) =>
      dropOne(
        'dropped an element',
        elements.flatMap((each) => each ?? []),
        add,
      ),
    ObjectExpression: ({ properties }) => {
      dropOne('dropped a property', properties, add)
      swapValues(properties, source, add)
    },
    Literal: (node) => changeLiteral(node, add),
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (/^sql\b/.test(source(tag))) breakSql(quasi, source, add)
    },
  }).visit(program)
  return found
    .filter(({ start, end }) => !passedOver.some((span) => start >= span.start && end <= span.end))
    .toSorted((one, other) => one.start - other.start || one.end - other.end)
}

interface Span {
  start: number
  end: number
}
type Add = (name: string, span: Span, replacement: string) => void
type Source = (span: Span) => string

/** Types, imports, logs, looks and texts of errors: nothing there changes what is done. */
function unmeant(program: ESTree.Program, source: Source): Span[] {
  const spans: Span[] = []
  const passOver = (node: Span) => void spans.push(node)
  new Visitor({
    ImportDeclaration: passOver,
    TSTypeAliasDeclaration: passOver,
    TSInterfaceDeclaration: passOver,
    TSTypeAnnotation: passOver,
    TSAsExpression: ({ typeAnnotation }) => passOver(typeAnnotation),
    ThrowStatement: passOver,
    ExpressionStatement: (node) => {
      if (SAYING.test(source(node).replace(/^(void|await) /, ''))) passOver(node)
    },
    JSXAttribute: (node) => {
      if (LOOKS.test(source(node.name))) passOver(node)
    },
  }).visit(program)
  return spans
}

function dropLink({ callee, end }: ESTree.CallExpression, source: Source, add: Add): void {
  if (callee.type !== 'MemberExpression' || callee.computed) return
  const name = source(callee.property)
  if (CHOOSING.test(name)) add(`dropped .${name}()`, { start: callee.object.end, end }, '')
}

function turnOperator(node: ESTree.BinaryExpression | ESTree.LogicalExpression, text: string, add: Add): void {
  const turned = TURNED[node.operator]
  if (turned === undefined) return
  const start = text.indexOf(node.operator, node.left.end)
  // A sum of texts is no sum.
  if (node.operator === '+' && /['"`]/.test(text.slice(node.start, node.end))) return
  add(`${node.operator} became ${turned}`, { start, end: start + node.operator.length }, turned)
}

function dropStatement(node: ESTree.ExpressionStatement, add: Add): void {
  const isCall = ['CallExpression', 'AwaitExpression', 'AssignmentExpression', 'UpdateExpression'].includes(node.expression.type)
  // An arm without braces still needs a statement.
  if (isCall) add('dropped a statement', node, '{}')
}

/** With the comma behind it, or before the last. */
function dropOne(name: string, items: readonly Span[], add: Add): void {
  if (items.length < 2) return
  for (const [index, { start, end }] of items.entries()) {
    const [before, after] = [items[index - 1], items[index + 1]]
    if (after) add(name, { start, end: after.start }, '')
    else if (before) add(name, { start: before.end, end }, '')
  }
}

/** Of two neighbours that both name something else, as columns do. */
function swapValues(properties: readonly ESTree.ObjectPropertyKind[], source: Source, add: Add): void {
  for (const [index, one] of properties.entries()) {
    const other = properties[index + 1]
    if (one.type !== 'Property' || other?.type !== 'Property' || one.shorthand || other.shorthand || one.method || other.method)
      continue
    if (one.value.type !== other.value.type || one.value.type === 'ArrowFunctionExpression') continue
    const between = source({ start: one.value.end, end: other.value.start })
    add(
      'swapped two values',
      { start: one.value.start, end: other.value.end },
      `${source(other.value)}${between}${source(one.value)}`,
    )
  }
}

function changeLiteral(node: Span & { value: unknown }, add: Add): void {
  if (typeof node.value === 'boolean') add(`${node.value} became ${!node.value}`, node, String(!node.value))
  if (typeof node.value === 'number') add('one more', node, String(node.value + 1))
}

/** Text of SQL up to where the next thing begins; what is filled in is part of it. */
const PART = '(?:\\$\\{[^{}`]*\\}|[^\\n(){}`$])*?'
const END = '(?=\\n|`|\\)| order by | group by | limit | returning | on conflict | for update|$)'
const NEXT = END.replace('(?=', '(?= and | or |')
const SQL_BREAKS: readonly { name: string; from: RegExp; to: string }[] = [
  { name: 'dropped a condition of SQL', from: new RegExp(`\\band ${PART}${NEXT}`, 'g'), to: '' },
  { name: 'dropped the first condition of SQL', from: new RegExp(`\\bwhere ${PART} and `, 'g'), to: 'where ' },
  { name: 'dropped where of SQL', from: new RegExp(`\\bwhere ${PART}${END}`, 'g'), to: '' },
  { name: 'dropped limit of SQL', from: /\blimit (?:\$\{[^{}`]*\}|\d+)/g, to: '' },
  { name: '= became <> in SQL', from: / = (?=")/g, to: ' <> ' },
  { name: '< became <= in SQL', from: / < /g, to: ' <= ' },
  { name: '>= became > in SQL', from: / >= /g, to: ' > ' },
  { name: '> became >= in SQL', from: / > /g, to: ' >= ' },
  { name: 'turned desc in SQL', from: / desc\b/g, to: ' asc' },
  { name: '+ became - in SQL', from: / \+ /g, to: ' - ' },
  { name: 'dropped distinct in SQL', from: /\bdistinct /g, to: '' },
  { name: 'dropped not in SQL', from: /\bnot (?=")/g, to: '' },
  { name: 'sum became max in SQL', from: /\bsum\(/g, to: 'max(' },
  { name: 'swapped upload and download in SQL', from: /"uploadBytes"/g, to: '"downloadBytes"' },
]

function breakSql(quasi: ESTree.TemplateLiteral & Span, source: Source, add: Add): void {
  const text = source(quasi)
  for (const { name, from, to } of SQL_BREAKS)
    for (const { index, 0: match } of text.matchAll(from)) {
      const start = quasi.start + index
      add(name, { start, end: start + match.length }, to)
    }
}

/** A sequence of numbers from 0 up to 1 that is the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
