// Made by scripts/text-types.ts from public/locales/en; checks every t('…') against the English texts.
import type account from '../../public/locales/en/account.json'
import type admins from '../../public/locales/en/admins.json'
import type api from '../../public/locales/en/api.json'
import type apiTokens from '../../public/locales/en/api-tokens.json'
import type auth from '../../public/locales/en/auth.json'
import type backups from '../../public/locales/en/backups.json'
import type chart from '../../public/locales/en/chart.json'
import type compare from '../../public/locales/en/compare.json'
import type configProfiles from '../../public/locales/en/config-profiles.json'
import type doctor from '../../public/locales/en/doctor.json'
import type externalSquads from '../../public/locales/en/external-squads.json'
import type happRouting from '../../public/locales/en/happ-routing.json'
import type history from '../../public/locales/en/history.json'
import type home from '../../public/locales/en/home.json'
import type hosts from '../../public/locales/en/hosts.json'
import type hwid from '../../public/locales/en/hwid.json'
import type infraBilling from '../../public/locales/en/infra-billing.json'
import type installation from '../../public/locales/en/installation.json'
import type internalSquads from '../../public/locales/en/internal-squads.json'
import type jobs from '../../public/locales/en/jobs.json'
import type joining from '../../public/locales/en/joining.json'
import type moveIn from '../../public/locales/en/move-in.json'
import type nodeBandwidth from '../../public/locales/en/node-bandwidth.json'
import type nodeMap from '../../public/locales/en/node-map.json'
import type nodeMetrics from '../../public/locales/en/node-metrics.json'
import type nodePlugins from '../../public/locales/en/node-plugins.json'
import type nodeStatistics from '../../public/locales/en/node-statistics.json'
import type nodeUpdates from '../../public/locales/en/node-updates.json'
import type nodes from '../../public/locales/en/nodes.json'
import type notices from '../../public/locales/en/notices.json'
import type pageConfigs from '../../public/locales/en/page-configs.json'
import type profileEditor from '../../public/locales/en/profile-editor.json'
import type proxyDefense from '../../public/locales/en/proxy-defense.json'
import type requestHistory from '../../public/locales/en/request-history.json'
import type responseRules from '../../public/locales/en/response-rules.json'
import type revisions from '../../public/locales/en/revisions.json'
import type search from '../../public/locales/en/search.json'
import type secondStep from '../../public/locales/en/second-step.json'
import type shell from '../../public/locales/en/shell.json'
import type snippets from '../../public/locales/en/snippets.json'
import type subscriptionPage from '../../public/locales/en/subscription-page.json'
import type subscriptionPreview from '../../public/locales/en/subscription-preview.json'
import type subscriptionSettings from '../../public/locales/en/subscription-settings.json'
import type subscriptionTemplates from '../../public/locales/en/subscription-templates.json'
import type table from '../../public/locales/en/table.json'
import type templateCatalogue from '../../public/locales/en/template-catalogue.json'
import type ui from '../../public/locales/en/ui.json'
import type users from '../../public/locales/en/users.json'
import type views from '../../public/locales/en/views.json'
import type wall from '../../public/locales/en/wall.json'
import type webhooks from '../../public/locales/en/webhooks.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell'
    resources: {
      account: typeof account
      admins: typeof admins
      api: typeof api
      'api-tokens': typeof apiTokens
      auth: typeof auth
      backups: typeof backups
      chart: typeof chart
      compare: typeof compare
      'config-profiles': typeof configProfiles
      doctor: typeof doctor
      'external-squads': typeof externalSquads
      'happ-routing': typeof happRouting
      history: typeof history
      home: typeof home
      hosts: typeof hosts
      hwid: typeof hwid
      'infra-billing': typeof infraBilling
      installation: typeof installation
      'internal-squads': typeof internalSquads
      jobs: typeof jobs
      joining: typeof joining
      'move-in': typeof moveIn
      'node-bandwidth': typeof nodeBandwidth
      'node-map': typeof nodeMap
      'node-metrics': typeof nodeMetrics
      'node-plugins': typeof nodePlugins
      'node-statistics': typeof nodeStatistics
      'node-updates': typeof nodeUpdates
      nodes: typeof nodes
      notices: typeof notices
      'page-configs': typeof pageConfigs
      'profile-editor': typeof profileEditor
      'proxy-defense': typeof proxyDefense
      'request-history': typeof requestHistory
      'response-rules': typeof responseRules
      revisions: typeof revisions
      search: typeof search
      'second-step': typeof secondStep
      shell: typeof shell
      snippets: typeof snippets
      'subscription-page': typeof subscriptionPage
      'subscription-preview': typeof subscriptionPreview
      'subscription-settings': typeof subscriptionSettings
      'subscription-templates': typeof subscriptionTemplates
      table: typeof table
      'template-catalogue': typeof templateCatalogue
      ui: typeof ui
      users: typeof users
      views: typeof views
      wall: typeof wall
      webhooks: typeof webhooks
    }
  }
}
