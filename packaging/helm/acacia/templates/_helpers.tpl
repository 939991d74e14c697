{{/* The name of all objects; that of the release says enough if it has the chart's in it. */}}
{{- define "acacia.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* What a server is selected by: (dict "root" $ "part" "namenode") */}}
{{- define "acacia.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "acacia.labels" -}}
{{ include "acacia.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "acacia.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The host name of a NameNode, by its number: (dict "root" $ "number" 0) */}}
{{- define "acacia.host" -}}
{{- $name := printf "%s-namenode" (include "acacia.name" .root) -}}
{{ printf "%s-%d.%s.%s.svc" $name .number $name .root.Release.Namespace }}
{{- end }}

{{/* Helm reads all numbers as fractions, and would write 1e+06. */}}
{{- define "acacia.value" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{/* The elements of a site file, of a map of settings. */}}
{{- define "acacia.site" -}}
<?xml version="1.0"?>
<configuration>
{{- range $name, $value := . }}
  <property><name>{{ $name | html }}</name><value>{{ include "acacia.value" $value | html }}</value></property>
{{- end }}
</configuration>
{{- end }}

{{/* What both kinds of servers have of a pod: (dict "root" $ "part" "namenode" "of" .Values.namenode) */}}
{{- define "acacia.pod" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 8020
  runAsGroup: 8020
  fsGroup: 8020
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
affinity:
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels:
              {{- include "acacia.selector" . | nindent 14 }}
{{- with .of.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .of.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: configuration
    configMap: {name: {{ include "acacia.name" .root }}}
  - name: logs
    emptyDir: {}
  - name: tmp
    emptyDir: {}
{{- end }}

{{/* What each container has. */}}
{{- define "acacia.container" -}}
image: {{ include "acacia.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
env:
  - name: POD_NAME
    valueFrom: {fieldRef: {fieldPath: metadata.name}}
  - name: ACACIA_CONF_DIR
    value: /etc/acacia-chart
  - name: JAVA_OPTS
    value: {{ .of.javaOpts | quote }}
volumeMounts:
  - {name: configuration, mountPath: /etc/acacia-chart, readOnly: true}
  - {name: state, mountPath: /var/lib/acacia}
  - {name: logs, mountPath: /var/log/acacia}
  - {name: tmp, mountPath: /tmp}
{{- end }}

{{/* The claim of a server's disk. */}}
{{- define "acacia.claims" -}}
- metadata:
    name: state
  spec:
    accessModes: [ReadWriteOnce]
    {{- with .of.storage.storageClassName }}
    storageClassName: {{ . }}
    {{- end }}
    resources:
      requests:
        storage: {{ .of.storage.size }}
{{- end }}
