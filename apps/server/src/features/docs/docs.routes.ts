import type { FastifyInstance } from 'fastify'
import type { StaticDocumentSpec } from '@fastify/swagger'
import type { Config } from '../../config.ts'
import { registerPublic } from '../../http/guarded-routes.ts'
import { openApiDocument } from './openapi.rules.ts'

const TITLE = 'Causeway API'
/** Nothing that leaves this server: no fonts, statistics, assistants or clients of others. */
const SCALAR_AT_HOME = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
}

/**
 * The documentation pages, only where they are switched on. Their libraries are loaded here and not at the top: several
 * megabytes that most servers never need.
 */
export async function serveDocs(app: FastifyInstance, config: Config): Promise<void> {
  if (!config.IS_DOCS_ENABLED) return
  // The plugin's type is of OpenAPI 3.0; it serves the document as it is.
  const document = openApiDocument(config.version) as unknown as StaticDocumentSpec['document']
  await registerPublic(app, async (scope) => {
    const { default: swagger } = await import('@fastify/swagger')
    await scope.register(swagger, { mode: 'static', specification: { document } })
    await serveSwagger(scope, config.SWAGGER_PATH)
    await serveScalar(scope, config.SCALAR_PATH, `${config.SWAGGER_PATH}-json`)
  })
}

async function serveSwagger(app: FastifyInstance, prefix: string): Promise<void> {
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  await app.register(swaggerUi, {
    routePrefix: prefix,
    uiConfig: { persistAuthorization: false, validatorUrl: null },
    theme: { title: TITLE, css: [{ filename: 'theme.css', content: '.swagger-ui .topbar { display: none }' }] },
  })
  app.get(`${prefix}-json`, () => app.swagger())
  app.get(`${prefix}-yaml`, async (_, reply) => reply.type('application/yaml; charset=utf-8').send(app.swagger({ yaml: true })))
}

/** Scalar's own page starts with an inline script, which our policy forbids; ours loads the same in two files. */
async function serveScalar(app: FastifyInstance, prefix: string, documentUrl: string): Promise<void> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const files = `${prefix}/files`
  const settings = { url: documentUrl, ...SCALAR_AT_HOME }
  await app.register(scalar, { routePrefix: `/${files.replace(/^\/+/, '')}`, configuration: { url: documentUrl } })
  app.get(prefix, async (_, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .send(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
          `<title>${TITLE}</title><link rel="icon" href="data:,"></head><body><div id="app"></div>` +
          `<script src="${files}/js/scalar.js"></script><script src="${files}/start.js"></script></body></html>`,
      ),
  )
  app.get(`${files}/start.js`, async (_, reply) =>
    reply.type('text/javascript; charset=utf-8').send(`Scalar.createApiReference('#app', ${JSON.stringify(settings)})\n`),
  )
}
