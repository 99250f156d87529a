import { expect, test } from 'vitest'
import Fastify from 'fastify'
import { answerError } from '../../http/replies.ts'
import { connect } from './connect.ts'
import { isOutage, isOutcomeUnknown, isPassing } from './failures.ts'

const withCode = (code: string, more: object = {}) => Object.assign(new Error('from the driver'), { code, ...more })

test.each([
  ['a refused connection', withCode('ECONNREFUSED', { syscall: 'connect' }), true, true],
  ['a missing socket', withCode('ENOENT', { syscall: 'connect' }), true, true],
  ['a database that shuts down', withCode('57P01'), true, true],
  ['too many connections', withCode('53300'), true, true],
  ['a full disk', withCode('53100'), true, true],
  ['a database that takes no changes', withCode('25006'), true, true],
  ['a connection that ended', new Error('Connection terminated unexpectedly'), true, true],
  ['no free connection', new Error('timeout exceeded when trying to connect'), true, true],
  ['a connection that did not come about in time', new Error('timeout expired'), true, true],
  ['an answer that did not come in time', new Error('Query read timeout'), true, true],
  ['a deadlock', withCode('40P01'), false, true],
  ['a lock that somebody held', withCode('55P03'), false, true],
  ['a statement that was cancelled', withCode('57014'), false, true],
  ['a transaction that took too long', withCode('25P04'), true, true],
  ['a missing file', withCode('ENOENT', { syscall: 'open' }), false, false],
  ['a broken rule of a column', withCode('23514'), false, false],
  ['a mistake in the code', new TypeError('x is not a function'), false, false],
])('%s', (_, error, outage, passing) => {
  expect([isOutage(error), isPassing(error)]).toEqual([outage, passing])
})

test('a request that finds no database says so with 503, without telling where it looked', async () => {
  const nowhere = connect('postgres://nobody@localhost/none?host=%2Fnowhere')
  const app = Fastify()
  app.setErrorHandler(answerError)
  app.get('/', () => nowhere.db.selectFrom('users').select('id').execute())
  const reply = await app.inject('/')
  expect(reply.statusCode).toBe(503)
  expect(reply.headers['retry-after']).toBe('5')
  expect(reply.json()).toEqual({
    statusCode: 503,
    error: 'Service Unavailable',
    message: 'The server cannot reach its database just now. Try again in a moment.',
  })
  await nowhere.close()
})

test.each([
  ['53100', 503, 'The disk of the database is full'],
  ['25006', 503, 'The disk of the database is full'],
  ['57014', 503, 'The database has broken this off'],
  ['55P03', 503, 'The database has broken this off'],
  ['40P01', 503, 'The database has broken this off'],
  ['23503', 409, 'Another administrator has just changed or deleted'],
])('code %s is answered with %i and a sentence', async (code, status, sentence) => {
  const app = Fastify()
  app.setErrorHandler(answerError)
  app.get('/', () => Promise.reject(withCode(code)))
  const reply = await app.inject('/')
  expect(reply.statusCode).toBe(status)
  expect(reply.json<{ message: string }>().message).toContain(sentence)
})

test('SCALE-001 a change whose connection broke before the answer is told to be of unknown outcome; one that was never sent is not', async () => {
  const lost = new Error('Connection terminated unexpectedly')
  expect([lost, withCode('57P01'), withCode('ECONNRESET', { syscall: 'read' })].map(isOutcomeUnknown)).toEqual([true, true, true])
  const unsent = [
    withCode('08006'),
    withCode('ECONNREFUSED', { syscall: 'connect' }),
    new Error('timeout exceeded when trying to connect'),
  ]
  expect(unsent.map(isOutcomeUnknown)).toEqual([false, false, false])
  const app = Fastify()
  app.setErrorHandler(answerError)
  app.route({
    method: ['GET', 'POST'],
    url: '/',
    handler: () => {
      throw lost
    },
  })
  const [change, read] = [await app.inject({ method: 'POST', url: '/' }), await app.inject({ method: 'GET', url: '/' })]
  expect([change.statusCode, read.statusCode]).toEqual([503, 503])
  expect(change.json()).toHaveProperty('message', expect.stringContaining('it may have been done or not'))
  expect(read.json()).toHaveProperty('message', expect.stringContaining('cannot reach its database'))
})
