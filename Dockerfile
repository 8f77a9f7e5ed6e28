# syntax=docker/dockerfile:1

# What both stages below install from: the lockfile, and of every workspace what it depends on.
FROM node:24-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json console/
COPY src/sdk/package.json src/sdk/
COPY src/cli/package.json src/cli/
COPY plugins/calcom/package.json plugins/calcom/
COPY plugins/crm/package.json plugins/crm/
COPY plugins/csv-import/package.json plugins/csv-import/
COPY plugins/triggers/package.json plugins/triggers/
COPY plugins/template/package.json plugins/template/

# Builds with everything that the lockfile names.
FROM manifests AS build
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json .swcrc ./
COPY scripts scripts
COPY console console
COPY src src
COPY plugins plugins
RUN npm run build

# What the hub needs to run. Optional packages are the embedded PostgreSQL and native speed-ups: here DATABASE_URL
# names a server, and nothing is compiled.
FROM manifests AS packages
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
COPY --from=packages /app /app
COPY --from=build /app/dist dist
COPY --from=build /app/console/dist console/dist
COPY --from=build /app/src/sdk/dist src/sdk/dist
COPY --from=build /app/plugins plugins
COPY bin bin
COPY docs docs
COPY docker/entrypoint.sh docker/first-run.mjs docker/
COPY LICENSE THIRD_PARTY_NOTICES.md ./
RUN chmod +x bin/rapport.mjs docker/entrypoint.sh && ln -s /app/bin/rapport.mjs /usr/local/bin/rapport
USER node
EXPOSE 3000
# Asks whether the process is alive. Restarting it for a database that is away would help nobody; load balancers ask /readyz.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The hub handles SIGTERM itself: it turns unready, serves on for SHUTDOWN_DELAY_MS, answers what is in flight and ends
# within 15 s more.
ENTRYPOINT ["docker/entrypoint.sh"]
CMD ["node", "dist/main.js"]
